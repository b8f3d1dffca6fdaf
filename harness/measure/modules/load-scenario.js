import { readTrace } from '../../trace/trace-format.js'
/** @import { HttpScenario, Lateness, MicroScenario } from '../../../scenarios/contract.js' */
/** @import { Random } from '../../model/random.js' */

/** @type {(url: string) => Promise<MicroScenario | HttpScenario>} */
export async function loadScenario (url) {
  const { scenario } = await import(url)
  return scenario
}

/**
 * @param {MicroScenario} scenario
 * @param {any} queue
 * @param {{params: Record<string, number>, trace?: string | null}} task  `trace`: a file, for scenarios that replay one.
 * @param {Random} random
 * @param {Lateness} [lateness]  Only where nothing is timed.
 */
export function createWorkload (scenario, queue, { params, trace }, random, lateness) {
  return scenario.createWorkload(queue, params, random, scenario.needsTrace && trace ? readTrace(trace) : undefined, lateness)
}
