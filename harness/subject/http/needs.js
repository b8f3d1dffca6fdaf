/**
 * Needs of a server other than its code, as data: the host, which makes the load, never loads a user's scenario.
 */
import { UsageError } from '../../model/errors.js'
import { serverNeeds } from '../../processes/shapes.js'
import { valueInWords } from '../modules/scenario-fault.js'
/** @import { HttpScenario, PlannedRequest } from '../../../scenarios/contract.js' */

/**
 * @typedef {object} Needs  Results and flags of a scenario; scenarios/contract.js describes them.
 * @property {PlannedRequest[]} [requests]
 * @property {number} [pauseMs]
 * @property {number} [idleConnections]
 * @property {number} [workers]
 * @property {boolean} coldStart
 * @property {boolean} breaksConnections
 */

/** Requirements on the results of a scenario's functions, for messages. */
const RETURNED = {
  requests: "a list of requests, such as { method: 'GET', path: '/' }",
  pauseMs: 'milliseconds from 0 on',
  idleConnections: 'an integer from 0 on',
  workers: 'a positive integer'
}

/**
 * @param {HttpScenario} scenario
 * @param {Record<string, number>} params
 * @returns {Needs}
 * @throws {UsageError} when the scenario asks for something that does not exist
 */
export function needsOf (scenario, params) {
  const { coldStart, breaksConnections } = scenario
  const names = /** @type {(keyof typeof RETURNED)[]} */ (Object.keys(RETURNED))
  const asked = names.filter(name => scenario[name] !== undefined)
  return {
    ...Object.fromEntries(asked.map(name => [name, resultOf(scenario, name, params)])),
    coldStart: Boolean(coldStart),
    breaksConnections: Boolean(breaksConnections)
  }
}

/** @type {(scenario: HttpScenario, name: keyof typeof RETURNED, params: Record<string, number>) => unknown} */
function resultOf (scenario, name, params) {
  if (typeof scenario[name] !== 'function') {
    throw new UsageError(`scenario.${name} must be a function, got ${valueInWords(scenario[name])}`)
  }
  const result = scenario[name](params)
  if (serverNeeds[`${name}?`](result)) return result
  throw new UsageError(`scenario.${name} must return ${RETURNED[name]}, got ${valueInWords(result)}`)
}
