/** Defaults of the commands that measure: queues, scenarios, times. */

/** @import { Settings } from '../harness/plan/plan.js' */

/**
 * The queues of the wiki page on Node's timers, the textbook's wheel, and the fastest queue here. All fit into one
 * heat.
 */
export const DEFAULT_QUEUES = [
  'node',
  'sorted-list',
  'unsorted-array',
  'binary-heap',
  'duration-lists',
  'hierarchical-wheel',
  'lazy-wheel'
]

export const DEFAULT_SCENARIOS = ['refresh-one-duration', 'staggered-expiry', 'start-cancel', 'keep-alive']

/**
 * Control, by kind of scenario: Node's design. In a server these are Node's own timers, untouched; without sockets, the
 * same data structure behind the contract.
 */
export const CONTROL = { micro: 'duration-lists', http: 'node' }

/**
 * Rounds and times; the scenarios know the sizes that belong to each preset. docs/lessons.md says how the times of
 * heats were chosen.
 *
 * @typedef {Pick<Settings, 'rounds' | 'windows' | 'budgetSeconds' | 'enough' | 'micro' | 'httpWarmupMs' | 'httpHeat'>}
 *   Preset
 *
 * @type {Record<'quick' | 'documented' | 'ci', Preset>}
 */
export const presets = {
  quick: {
    rounds: 8,
    windows: 1,
    budgetSeconds: 89,
    enough: 0.03,
    micro: { warmupMs: 110, leadMs: 4, turnMs: 6, turns: 5, limitMs: 3000, exactLimitMs: 4000, tailMs: 0 },
    httpWarmupMs: 300,
    httpHeat: { seconds: 3, sliceMs: 150 }
  },
  documented: {
    rounds: 10,
    windows: 3,
    budgetSeconds: null,
    micro: { warmupMs: 300, leadMs: 10, turnMs: 10, turns: 40, limitMs: 60_000, exactLimitMs: 120_000, tailMs: 500 },
    httpWarmupMs: 3000,
    httpHeat: { seconds: 30, sliceMs: 500 }
  },
  ci: {
    rounds: 2,
    windows: 1,
    budgetSeconds: null,
    micro: { warmupMs: 5, leadMs: 1, turnMs: 2, turns: 4, limitMs: 10_000, exactLimitMs: 20_000, tailMs: 0 },
    httpWarmupMs: 200,
    httpHeat: { seconds: 2, sliceMs: 100 }
  }
}

/** Time for `--until` without a budget. */
export const UNTIL_BUDGET_SECONDS = 600

/** Time for `timerq reproduce` in the quick preset. */
export const REPRODUCE_BUDGET_SECONDS = 600

/** Defaults of `timerq recommend`. `hopeless`: times as slow as the control. */
export const RECOMMEND = { rounds: 11, budgetSeconds: 300, hopeless: 2 }
export const GATE_BUDGET_SECONDS = 300

/** Settings of `timerq gate`: at most this many heats a cell, each of two or three processes. */
export const GATE = {
  scenarios: ['refresh-one-duration', 'staggered-expiry', 'start-cancel', 'come-and-go', 'fill', 'crowd'],
  rounds: 60,
  micro: { warmupMs: 60, leadMs: 1, turnMs: 4, turns: 24, limitMs: 10_000, exactLimitMs: 20_000, tailMs: 0 },
  httpWarmupMs: 500,
  httpHeat: { seconds: 3, sliceMs: 200 }
}

/** Defaults of `timerq try`. Frameworks take a second to warm up. */
export const TRY = {
  /** What a user can import. */
  queues: ['node', 'timerq-timers'],
  connections: 100,
  startSeconds: 30,
  budgetSeconds: 120,
  /** A third of the saving that is worth a change (harness/judge/worth.js). */
  enough: 0.01,
  timing: { ...presets.quick, windows: 0, httpWarmupMs: 1500, httpHeat: { seconds: 5, sliceMs: 200 } }
}

/** Measurements of `timerq watch` at every save: a few seconds, with one seed, so that counts can be compared. */
export const WATCH = { scenarios: ['start-cancel', 'staggered-expiry'], size: 10_000, rounds: 4, seed: 1 }
