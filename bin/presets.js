/** Defaults of the commands that measure: queues, scenarios, rounds and times. */
import { queues } from '../queues/index.js'
import { scenarios } from '../scenarios/index.js'
/** @import { End, Settings } from '../harness/plan/plan.js' */

export const DEFAULT_QUEUES = queues.filter(({ isDefault }) => isDefault).map(({ name }) => name)

/** @param {string[]} wanted */
const usedBy = (...wanted) =>
  scenarios.filter(({ uses }) => wanted.some(use => uses.includes(use))).map(({ name }) => name)

export const DEFAULT_SCENARIOS = usedBy('usual')
/** It replays a trace. */
export const REPLAYED = usedBy('replayed')
/** They need no server. */
export const SKETCHED_SCENARIOS = usedBy('sketched')

/**
 * Control, by kind of scenario: Node's design. In a server these are Node's own timers, untouched; without sockets, the
 * same data structure behind the contract. Code has a control of its own.
 *
 * @type {{micro: string, http: string, code?: string}}
 */
export const CONTROL = { micro: 'duration-lists', http: 'node' }

/**
 * @typedef {Pick<Settings, 'windows' | 'micro' | 'httpWarmupMs' | 'httpHeat'> & {end: End}} Preset  Rounds and times of
 *   a run.
 */

/**
 * Presets by name. Scenarios know the sizes that belong to each; lab/notebook/lessons.md says how the times of heats
 * were chosen.
 *
 * @type {Record<'quick' | 'documented' | 'ci', Preset>}
 */
export const presets = {
  quick: {
    end: { rounds: 8, budgetSeconds: 89, enough: 0.03 },
    windows: 1,
    micro: { warmupMs: 110, leadMs: 4, turnMs: 6, turns: 5, limitMs: 3000, exactLimitMs: 4000, tailMs: 0 },
    httpWarmupMs: 300,
    httpHeat: { seconds: 3, sliceMs: 150 }
  },
  documented: {
    end: { rounds: 10, budgetSeconds: null },
    windows: 3,
    micro: { warmupMs: 300, leadMs: 10, turnMs: 10, turns: 40, limitMs: 60_000, exactLimitMs: 120_000, tailMs: 500 },
    httpWarmupMs: 3000,
    httpHeat: { seconds: 30, sliceMs: 500 }
  },
  ci: {
    end: { rounds: 2, budgetSeconds: null },
    windows: 1,
    micro: { warmupMs: 5, leadMs: 1, turnMs: 2, turns: 4, limitMs: 10_000, exactLimitMs: 20_000, tailMs: 0 },
    httpWarmupMs: 200,
    httpHeat: { seconds: 2, sliceMs: 100 }
  }
}

/** Time for `--until` without a budget. */
export const UNTIL_BUDGET_SECONDS = 600

/** File that `timerq record` writes and `timerq recommend` reads by default. */
export const RECORDED = 'timerq.trace'

/** Settings of `timerq gate`: heats of a cell, at most, each of two or three processes. */
export const GATE = {
  scenarios: usedBy('gated', 'counted'),
  /** Timed where it is named: its times differ by 3 % and more between processes, and would take most of the heats. */
  countedOnly: usedBy('counted'),
  budgetSeconds: 300,
  rounds: 60,
  micro: { warmupMs: 60, leadMs: 1, turnMs: 3, turns: 16, limitMs: 10_000, exactLimitMs: 20_000, tailMs: 0 },
  httpWarmupMs: 500,
  httpHeat: { seconds: 3, sliceMs: 200 }
}

/** Defaults of `timerq try`. Frameworks take a second to warm up. */
export const TRY = {
  /** Timers that a user can import. */
  queues: ['timerq-timers'],
  connections: 100,
  startSeconds: 30,
  budgetSeconds: 120,
  /** A third of the saving that is worth a change (harness/judge/worth.js). */
  enough: 0.01,
  preset: { ...presets.quick, windows: 0, httpWarmupMs: 1500, httpHeat: { seconds: 5, sliceMs: 200 } }
}

/** A recorded program is replayed as a whole, however long its trace is. */
const REPLAY_LIMIT_MS = 60_000
/**
 * Times of a replay. With the trace of a fastify server (test/fixtures/traces), lazy-wheel costs 0.62 to 0.67 of
 * duration-lists after a warm-up of 60 and 110 ms, and 0.449, 0.448 and 0.448 after 300, 300 and 1000 ms with turns of
 * 4, 10 and 10 ms. In the lead, queues of many timers return to the caches.
 */
export const REPLAY = {
  ...presets.quick,
  micro: {
    ...GATE.micro,
    warmupMs: 300,
    leadMs: 10,
    limitMs: REPLAY_LIMIT_MS,
    exactLimitMs: REPLAY_LIMIT_MS
  }
}

/** Defaults of `timerq recommend`. */
export const RECOMMEND = { rounds: 11, budgetSeconds: 300 }

/** Defaults of `timerq profile`. Six thousand ticks: a share of 10 % has a standard error of 0.4 points. */
export const PROFILE = { scenarios: usedBy('profiled'), seconds: 3 }

/**
 * Settings of `timerq reproduce`. Claims whose limit is far away are decided in two or three rounds; one that is
 * undecided after all of them lies on its limit. The slowest queue of a finding is a list that is searched from one
 * end.
 */
export const REPRODUCE = {
  rounds: 40,
  budgetSeconds: { quick: 600, documented: null },
  limitMs: { quick: 8000, documented: 300_000 },
  /** Without an optimising compiler; they decide for good. */
  countLimitMs: { quick: 60_000, documented: 300_000 }
}
