/**
 * The needs of a server beside its own code, as data: the process that makes the load never loads the scenario, which
 * may be a user's file.
 */
import { UsageError } from '../../model/errors.js'
import { serverNeeds } from '../../processes/shapes.js'
import { show } from '../modules/scenario-fault.js'
/** @import { HttpScenario, PlannedRequest } from '../../../scenarios/contract.js' */

/**
 * @typedef {object} Needs  As scenarios/contract.js describes them.
 * @property {PlannedRequest[]} [requests]
 * @property {number} [pauseMs]
 * @property {number} [idleConnections]
 * @property {number} [workers]
 * @property {boolean} coldStart
 * @property {boolean} breaksConnections
 * @property {boolean} usesAllCores
 */

/** What the functions of a scenario must return. */
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
  const { coldStart, breaksConnections, usesAllCores } = scenario
  const names = /** @type {(keyof typeof RETURNED)[]} */ (Object.keys(RETURNED))
  const asked = names.filter(name => scenario[name] !== undefined)
  return {
    ...Object.fromEntries(asked.map(name => [name, answerOf(scenario, name, params)])),
    coldStart: Boolean(coldStart),
    breaksConnections: Boolean(breaksConnections),
    usesAllCores: Boolean(usesAllCores)
  }
}

/** @type {(scenario: HttpScenario, name: keyof typeof RETURNED, params: Record<string, number>) => unknown} */
function answerOf (scenario, name, params) {
  const { [name]: found } = scenario
  if (typeof found !== 'function') throw new UsageError(`scenario.${name} must be a function, got ${show(found)}`)
  // A method may use `this`.
  const answer = scenario[name]?.(params)
  if (serverNeeds[`${name}?`](answer)) return answer
  throw new UsageError(`scenario.${name} must return ${RETURNED[name]}, got ${show(answer)}`)
}
