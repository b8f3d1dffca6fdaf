/**
 * What the calibration found. Gates of all cells are drawn from the pairs measured, with replacement: as many pairs a row
 * as a gate plans, and looked at as the gate looks. Beside them stand single runs judged by what people use today.
 */
import { planLooks } from '../gate/plan.js'
import { groupBy } from '../group-by.js'
import { createRandom } from '../random.js'
import { pseudoMedian } from '../statistics/pseudo-median.js'
import { DEFAULT_RULES, judge } from '../verdict.js'
import { AGAIN, BASE, SLOWDOWNS } from './measure.js'

/**
 * @typedef {import('./measure.js').CalibrationSample} CalibrationSample
 * @typedef {{base: CalibrationSample, head: CalibrationSample}} Pair
 *
 * @typedef {{regression: number, inconclusive: number, pass: number, rows: number, pairs: number}} Outcomes
 *
 * @typedef {object} Calibration
 * @property {number} rounds  Measured, of every cell at least.
 * @property {number} planned  Pairs a row, at most.
 * @property {Outcomes} disjoint  Of identical code: consecutive pairs, none used twice.
 * @property {Outcomes} identical  Of identical code: gates drawn.
 * @property {number} alarmedGates  Share of these gates with a false alarm in any row.
 * @property {{slowdown: number, injected: number, low: number, high: number, outcomes: Outcomes}[]} slowed
 * @property {{name: string, alarms: number, alarmedGates: number, found: number[]}[]} rivals
 * @property {{same: number, alarms: number, compared: number, found: number, cellsFound: string}} exact
 */

const GATES_DRAWN = 500
/** Consecutive pairs of one disjoint row: what the first look sees. */
const DISJOINT_PAIRS = 10
/** Of a normal distribution: what tinybench's interval spans on either side, and the one-sided 5 % point. */
const Z_INTERVAL = 1.96
const Z_ONE_SIDED = 1.645

/** @type {{name: string, isSlower: (pair: Pair) => boolean}[]} */
const RIVALS = [
  {
    name: 'two runs, intervals apart',
    isSlower: ({ base, head }) => head.mean * (1 - head.errorPercent / 100) > base.mean * (1 + base.errorPercent / 100)
  },
  { name: 'two runs, more than 5 % apart', isSlower: ({ base, head }) => head.ns / base.ns > 1.05 },
  { name: 'two runs, more than 10 % apart', isSlower: ({ base, head }) => head.ns / base.ns > 1.1 },
  {
    name: 'Welch\'s t test over batches, p < 0.05',
    isSlower: ({ base, head }) => (head.mean - base.mean) / Math.hypot(standardError(head), standardError(base)) > Z_ONE_SIDED
  }
]

/**
 * @param {ReturnType<typeof import('./measure.js').readCalibration>} measured
 * @param {{rounds: number, seed: number}} options  The most pairs a row.
 * @returns {Calibration}
 */
export function judgeCalibration ({ samples, counts }, { rounds: planned, seed }) {
  const pairsOf = pairSamples(samples)
  const identical = [...pairsOf(AGAIN).values()]
  const rounds = Math.min(...identical.map(pairs => pairs.length))
  const random = createRandom(seed)
  const draw = (/** @type {Pair[]} */ pairs) => Array.from({ length: planned }, () => pairs[random(pairs.length)])
  const drawn = Array.from({ length: GATES_DRAWN }, () => runGate(identical.map(draw), planned))
  const singles = Array.from({ length: rounds }, (_, round) => identical.map(pairs => pairs[round]))
  return {
    rounds,
    planned,
    disjoint: countOutcomes(Array.from({ length: Math.floor(rounds / DISJOINT_PAIRS) }, (_, block) =>
      runGate(identical.map(pairs => pairs.slice(block * DISJOINT_PAIRS, (block + 1) * DISJOINT_PAIRS)), planned)).flat()),
    identical: countOutcomes(drawn.flat()),
    alarmedGates: share(drawn, rows => rows.some(({ verdict }) => verdict === 'regression')),
    slowed: SLOWDOWNS.map(slowdown => judgeSlowdown(slowdown)),
    rivals: RIVALS.map(({ name, isSlower }) => ({
      name,
      alarms: share(singles.flat(), isSlower),
      alarmedGates: share(singles, gate => gate.some(isSlower)),
      found: SLOWDOWNS.map(slowdown => share([...pairsOf(String(slowdown)).values()].flat(), isSlower))
    })),
    exact: judgeCounts(counts)
  }

  /**
   * One cell after the other slowed, among all others left alone.
   *
   * @param {number} slowdown
   */
  function judgeSlowdown (slowdown) {
    const slowed = [...pairsOf(String(slowdown)).values()]
    const rows = Array.from({ length: GATES_DRAWN }, (_, gate) => {
      const index = gate % slowed.length
      return runGate(identical.map((pairs, i) => draw(i === index ? slowed[i] : pairs)), planned)[index]
    })
    const { estimate, low, high } = pseudoMedian(slowed.map(pairs => pseudoMedian(pairs.map(logRatio)).estimate))
    return { slowdown, injected: Math.expm1(estimate), low: Math.expm1(low), high: Math.expm1(high), outcomes: countOutcomes(rows) }
  }
}

/**
 * As harness/gate/run.js does it: cells that are decided at a look get no more pairs.
 *
 * @param {Pair[][]} cells  The pairs of each, in the order in which they come.
 * @param {number} planned
 */
function runGate (cells, planned) {
  const looks = planLooks(planned)
  const available = cells[0].length
  const row = (/** @type {Pair[]} */ pairs, /** @type {number} */ cell) => ({
    scenario: String(cell),
    params: {},
    queue: '',
    runtime: '',
    metric: 'nsPerOp',
    gates: true,
    rounds: pairs.length,
    pairs: pairs.map(({ base, head }, round) => ({ round, base: base.ns, head: head.ns }))
  })
  const taken = cells.map(() => 0)
  /** @type {import('../verdict.js').Comparison[]} */
  let judged = []
  for (const { rounds } of looks.filter(look => look.rounds <= available)) {
    for (let cell = 0; cell < cells.length; cell++) {
      if (judged.length === 0 || judged[cell].verdict === 'inconclusive') taken[cell] = rounds
    }
    judged = judge(cells.map((pairs, cell) => row(pairs.slice(0, taken[cell]), cell)), looks, DEFAULT_RULES)
  }
  return judged
}

/**
 * @param {CalibrationSample[]} samples
 * @returns {(arm: string) => Map<string, Pair[]>} by cell, in the order measured
 */
function pairSamples (samples) {
  const cells = groupBy(samples, ({ cell }) => cell)
  return arm => new Map([...cells].map(([cell, ofCell]) => {
    const heads = new Map(ofCell.filter(sample => sample.arm === arm).map(sample => [sample.round, sample]))
    return [cell, ofCell.filter(sample => sample.arm === BASE).flatMap(base => {
      const head = heads.get(base.round)
      return head ? [{ base, head }] : []
    })]
  }))
}

/**
 * @param {import('../verdict.js').Comparison[]} rows
 * @returns {Outcomes}
 */
function countOutcomes (rows) {
  const count = (/** @type {string} */ wanted) => rows.filter(({ verdict }) => verdict === wanted).length
  const pairs = rows.reduce((sum, { pairs }) => sum + pairs, 0) / rows.length
  return { regression: count('regression'), inconclusive: count('inconclusive'), pass: count('pass'), rows: rows.length, pairs }
}

/**
 * @param {ReturnType<typeof import('./measure.js').readCalibration>['counts']} counts
 */
function judgeCounts (counts) {
  const same = counts.filter(({ kind }) => kind === 'same')
  const compared = counts.filter(({ kind, metric }) => kind === 'compare' && metric === 'workPerOp')
  const found = compared.filter(({ base, head }) => head > base)
  return {
    same: same.length,
    alarms: same.filter(({ base, head }) => head !== base).length,
    compared: compared.length,
    found: found.length,
    cellsFound: `${new Set(found.map(({ cell }) => cell)).size} of ${new Set(compared.map(({ cell }) => cell)).size} cells`
  }
}

/** @param {Pair} pair */
const logRatio = ({ base, head }) => Math.log(head.ns / base.ns)

/** @param {CalibrationSample} sample */
const standardError = ({ mean, errorPercent }) => mean * errorPercent / 100 / Z_INTERVAL

/**
 * @template T
 * @param {T[]} items
 * @param {(item: T) => boolean} condition
 */
const share = (items, condition) => items.filter(condition).length / items.length
