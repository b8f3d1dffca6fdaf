/** What `timerq run` measures when the user does not say otherwise, and how long. */

/** The wiki's queues and those that came after it; `node` is the control. */
export const DEFAULT_QUEUES = ['node', 'sorted-list', 'sorted-list-from-tail', 'unsorted-array', 'binary-heap',
  'duration-lists', 'hierarchical-wheel']

export const DEFAULT_SCENARIOS = ['refresh-one-duration', 'staggered-expiry', 'start-cancel', 'keep-alive']

/**
 * The queue that the others are compared with, by scenario kind: what Node does, untouched or, where there are no
 * sockets, behind the contract.
 */
export const CONTROL = { micro: 'duration-lists', http: 'node' }

/**
 * Rounds and times; the scenarios know the sizes that belong to each preset.
 *
 * @type {Record<string, Pick<import('../harness/plan.js').Settings, 'rounds' | 'budgetSeconds' | 'micro' | 'httpWarmupMs'>>}
 */
export const presets = {
  quick: { rounds: 3, budgetSeconds: 84, micro: { warmupMs: 20, measureMs: 30, limitMs: 1500, exactLimitMs: 1000 }, httpWarmupMs: 200 },
  documented: { rounds: 5, budgetSeconds: null, micro: { warmupMs: 300, measureMs: 500, limitMs: 60_000, exactLimitMs: 120_000 }, httpWarmupMs: 3000 },
  ci: { rounds: 2, budgetSeconds: null, micro: { warmupMs: 5, measureMs: 10, limitMs: 10_000, exactLimitMs: 20_000 }, httpWarmupMs: 200 }
}

/** What `timerq gate` measures: at most this many pairs of samples long enough for V8 to have settled. */
export const GATE = {
  scenarios: ['refresh-one-duration', 'staggered-expiry', 'start-cancel'],
  rounds: 60,
  micro: { warmupMs: 100, measureMs: 60, limitMs: 10_000, exactLimitMs: 20_000 },
  httpWarmupMs: 500
}
