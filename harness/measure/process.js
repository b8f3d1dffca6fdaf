/** The measuring process: one program for every request that needs a queue and no server (see http/server.js). */
import { answer } from '../processes/answer.js'

/** The module that handles a request is loaded with the first one, so before any queue. */
const MODULES = {
  declare: './modules/requests.js',
  modules: './modules/requests.js'
}

answer(Object.fromEntries(Object.entries(MODULES).map(([type, module]) =>
  [type, async (/** @type {object} */ message) => (await import(module))[type](message)])))
