/** A request that few samples need, such as a profiler's: its module is loaded when it is called. */

/**
 * @param {object} message
 * @param {string} message.moduleUrl
 * @param {string} message.name  Name of the exported function.
 * @param {object} measured  What the process measures, the function's second argument.
 * @returns {Promise<object>}
 */
export async function callModule ({ moduleUrl, name, ...options }, measured) {
  const functions = await import(moduleUrl)
  return functions[name](options, measured)
}
