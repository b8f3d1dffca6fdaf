/** Requests that few samples need, such as a count's: their modules are loaded when they are called. */

/**
 * @param {object} message
 * @param {string} message.moduleUrl
 * @param {string} message.name  Name of the exported function.
 * @param {object} measured  The subject or server of this process, the function's second argument.
 * @returns {Promise<object>}
 */
export async function callModule ({ moduleUrl, name, ...options }, measured) {
  const functions = await import(moduleUrl)
  return functions[name](options, measured)
}
