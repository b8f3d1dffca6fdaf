/**
 * The other end of child.js: a measuring process answers each message with the result of its handler. It ends when the
 * process that started it does.
 *
 * @param {Record<string, (message: any) => Promise<object> | object>} handlers  By the message's `type`.
 */
export function answer (handlers) {
  process.on('message', async (/** @type {any} */ message) => {
    try {
      reply(await handlers[message.type](message))
    } catch (error) {
      reply({ error: /** @type {Error} */ (error)?.message ?? String(error) })
    }
  })
  process.once('disconnect', () => process.exit())
}

/** @param {object} message */
function reply (message) {
  process.send?.(message)
}
