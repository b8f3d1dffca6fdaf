/**
 * Instruments: what is measured besides the times of heats, a line each. Without the line and the files of one, samples
 * lack its metrics; verdicts and answers that read these find none.
 *
 * @typedef {object} Instrument
 * @property {string} name
 * @property {'alone' | 'count'} step  Kind of the steps that it takes part in.
 * @property {('micro' | 'code' | 'http')[]} of  Kinds of scenarios that it measures.
 * @property {(times: TurnTimes) => boolean} [isWanted]  Whether the times of a plan leave some for it.
 * @property {() => Promise<{measureCell: MeasureCell}>} load  Runs without servers load no code for them.
 *
 * @typedef {(job: CellJob, options: CellOptions) => Promise<Measured>} MeasureCell
 *
 * @typedef {object} CellOptions
 * @property {string[]} pin  Command prefix of a process that is timed alone.
 * @property {Pins} pins
 * @property {number} limitMs  CPU time for a count.
 * @property {AbortSignal} [signal]
 */
import { allOrNone } from '../processes/processes.js'
/** @import { PlannedScenario } from '../plan/plan.js' */
/** @import { Pins } from '../processes/pinning.js' */
/** @import { CellJob } from './look-up.js' */
/** @import { Measured } from './measure.js' */
/** @import { TurnTimes } from './micro/queue-process.js' */

/** @type {Instrument[]} */
export const INSTRUMENTS = [
  { name: 'executed work', step: 'count', of: ['micro', 'code'], load: () => import('./instruments/executed-work.js') },
  { name: 'allocations', step: 'count', of: ['micro', 'code'], load: () => import('./instruments/allocations.js') },
  { name: 'weight', step: 'count', of: ['micro'], load: () => import('./instruments/weight.js') },
  { name: 'server blocks', step: 'count', of: ['http'], load: () => import('./instruments/server-blocks.js') },
  {
    name: 'slowest calls',
    step: 'alone',
    of: ['micro'],
    isWanted: ({ tailMs }) => tailMs > 0,
    load: () => import('./instruments/slowest-calls.js')
  },
  { name: 'server alone', step: 'alone', of: ['http'], load: () => import('./instruments/server-alone.js') }
]

/**
 * The instruments that measure something in a step.
 *
 * @param {Instrument['step']} step
 * @param {Pick<PlannedScenario, 'kind'>} scenario
 * @param {TurnTimes} times
 */
export const instrumentsOf = (step, { kind }, times) =>
  INSTRUMENTS.filter(
    ({ isWanted, ...own }) => own.step === step && own.of.includes(kind) && (isWanted?.(times) ?? true)
  )

/**
 * Measures a cell with all instruments of a step, at the same time.
 *
 * @param {Instrument['step']} step
 * @param {CellJob} job
 * @param {CellOptions} options
 * @returns {Promise<Measured>} without metrics where no instrument measures the job
 * @throws {SampleError} when a process dies or takes too long
 */
export async function measureWithAll (step, job, { signal, ...options }) {
  const chosen = instrumentsOf(step, job.scenario, job.microJob.timing)
  const loaded = await Promise.all(chosen.map(({ load }) => load()))
  const all = await allOrNone(
    loaded.map(({ measureCell }) => end => measureCell(job, { ...options, signal: end })),
    signal
  )
  const details = all.flatMap(({ details }) => details ?? [])
  return {
    metrics: Object.assign({}, ...all.map(({ metrics }) => metrics)),
    ...(details.length > 0 && { details: Object.assign({}, ...details) }),
    warnings: all.flatMap(({ warnings }) => warnings)
  }
}
