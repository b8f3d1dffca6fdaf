/**
 * What the calibration found. Gates of all cells are drawn from the pairs measured, with replacement: as many pairs a row
 * as a gate plans and has time for, and looked at as the gate looks. Beside them stand single runs judged by what people
 * use today.
 */
import { median } from 'simple-statistics'
import { judgeControl } from '../../../harness/gate/control.js'
import { LEAST_PAIRS, PAIRS_PER_CONTROL, planLooks, SAMPLES_PER_PAIR } from '../../../harness/gate/plan.js'
import { groupBy } from '../../../harness/model/group-by.js'
import { createRandom } from '../../../harness/random.js'
import { pseudoMedian } from '../../../harness/statistics/pseudo-median.js'
import { DEFAULT_RULES, judge, spreadOf } from '../../../harness/verdict.js'
import { AGAIN, BASE, SLOWDOWNS } from './measure.js'

/**
 * @typedef {import('./measure.js').CalibrationSample} CalibrationSample
 * @typedef {{base: CalibrationSample, head: CalibrationSample}} Pair
 *
 * @typedef {{regression: number, inconclusive: number, pass: number, rows: number, pairs: number}} Outcomes
 *
 * @typedef {{median: number, low: number, high: number}} Injected  How much slower it came out as; the lowest and the
 *   highest of any cell.
 * @typedef {{cell: string, spread: number, injected: number, found: number}} JudgedCell  `spread`: of pairs of identical
 *   code, as the gate reports it.
 *
 * @typedef {object} Calibration
 * @property {{identical: number, slowed: number}} rounds  Measured, of every cell at least.
 * @property {number} planned  Pairs a row, at most.
 * @property {{pairs: number, planned: number, outcomes: Outcomes}[]} disjoint  Of identical code: gates of consecutive
 *   pairs, none used twice; so many of so many planned.
 * @property {Outcomes} identical  Of identical code: gates drawn.
 * @property {number} alarmedGates  Share of these gates with a false alarm in any row.
 * @property {number} contaminatedGates  Share of these gates whose control moved, so that they give no verdict.
 * @property {{slowdown: number, injected: Injected, outcomes: Outcomes, cells: JudgedCell[]}[]} slowed
 * @property {{name: string, alarms: number, alarmedGates: number, found: number[]}[]} rivals
 * @property {{same: number, alarms: number, compared: number, found: number, cellsFound: string}} exact
 */

const GATES_DRAWN = 600
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
 * @param {Pick<ReturnType<typeof import('./measure.js').readCalibration>, 'samples' | 'counts'>} measured
 * @param {{rounds: number, budgetSeconds: number, seed: number}} gate  The most pairs a row.
 * @returns {Calibration}
 */
export function judgeCalibration ({ samples, counts }, { rounds: planned, budgetSeconds, seed }) {
  const pairsOf = pairSamples(samples)
  const names = [...pairsOf(AGAIN).keys()]
  const identical = [...pairsOf(AGAIN).values()]
  const rounds = fewest(identical)
  const random = createRandom(seed)
  const draw = (/** @type {Pair[]} */ pairs) => Array.from({ length: planned }, () => pairs[random(pairs.length)])
  const drawn = Array.from({ length: GATES_DRAWN }, () => runGate(identical.map(draw), { planned, budgetSeconds }))
  const singles = Array.from({ length: rounds }, (_, round) => identical.map(pairs => pairs[round]))
  return {
    rounds: { identical: rounds, slowed: fewest([...pairsOf(String(SLOWDOWNS[0])).values()]) },
    planned,
    disjoint: [
      { pairs: LEAST_PAIRS, planned: LEAST_PAIRS },
      { pairs: planLooks(planned)[0].rounds, planned },
      { pairs: planned, planned }
    ].map(judgeDisjoint),
    identical: countOutcomes(drawn.flat()),
    alarmedGates: share(drawn, rows => rows.some(({ verdict }) => verdict === 'regression')),
    contaminatedGates: share(drawn, isContaminated),
    slowed: SLOWDOWNS.map(judgeSlowdown),
    rivals: RIVALS.map(({ name, isSlower }) => ({
      name,
      alarms: share(singles.flat(), isSlower),
      alarmedGates: share(singles, gate => gate.some(isSlower)),
      found: SLOWDOWNS.map(slowdown => share([...pairsOf(String(slowdown)).values()].flat(), isSlower))
    })),
    exact: judgeCounts(counts)
  }

  /**
   * Its control is drawn from the same pairs of identical code, as many as a gate with so many pairs has.
   *
   * @param {ReturnType<typeof runGate>} rows
   */
  function isContaminated (rows) {
    const count = Math.ceil(rows.reduce((sum, { pairs }) => sum + pairs, 0) / PAIRS_PER_CONTROL)
    const pick = (/** @type {any[]} */ list) => list[random(list.length)]
    return judgeControl(Array.from({ length: count }, () => logRatio(pick(pick(identical)))), DEFAULT_RULES)?.moved ?? false
  }

  /** @param {{pairs: number, planned: number}} gate */
  function judgeDisjoint (gate) {
    const blocks = Array.from({ length: Math.floor(rounds / gate.pairs) }, (_, block) => block * gate.pairs)
    const rows = blocks.flatMap(start =>
      runGate(identical.map(pairs => pairs.slice(start, start + gate.pairs)), { planned: gate.planned, budgetSeconds }))
    return { ...gate, outcomes: countOutcomes(rows) }
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
      return runGate(identical.map((pairs, i) => draw(i === index ? slowed[i] : pairs)), { planned, budgetSeconds })[index]
    })
    const cells = slowed.map((pairs, index) => ({
      cell: names[index],
      spread: spreadOf(identical[index].map(logRatio)),
      injected: Math.expm1(pseudoMedian(pairs.map(logRatio)).estimate),
      found: share(rows.filter((_, gate) => gate % slowed.length === index), ({ verdict }) => verdict === 'regression')
    }))
    const injected = cells.map(({ injected }) => injected)
    return {
      slowdown,
      injected: { median: median(injected), low: Math.min(...injected), high: Math.max(...injected) },
      outcomes: countOutcomes(rows),
      cells
    }
  }
}

/**
 * As harness/gate/run.js does it: cells that are decided at a look get no more pairs, and none gets any when the time is
 * spent.
 *
 * @param {Pair[][]} cells  The pairs of each, in the order in which they come.
 * @param {{planned: number, budgetSeconds: number}} gate
 */
function runGate (cells, { planned, budgetSeconds }) {
  const looks = planLooks(planned)
  const taken = cells.map(() => 0)
  let open = [...cells.keys()]
  let secondsLeft = budgetSeconds
  let judged = judgeTaken()
  for (const look of looks.filter(({ rounds }) => rounds <= cells[0].length)) {
    while (open.some(cell => taken[cell] < look.rounds)) {
      for (const cell of open) {
        secondsLeft -= secondsOf(cells[cell][taken[cell]])
        if (secondsLeft < 0) return judgeTaken()
        taken[cell]++
      }
    }
    judged = judgeTaken()
    open = open.filter(cell => judged[cell].verdict === 'inconclusive')
  }
  return judged

  function judgeTaken () {
    return judge(cells.map((pairs, cell) => ({
      scenario: String(cell),
      params: {},
      queue: '',
      runtime: '',
      metric: 'nsPerOp',
      gates: true,
      rounds: taken[cell],
      pairs: pairs.slice(0, taken[cell]).map(({ base, head }, round) => ({ round, base: base.ns, head: head.ns }))
    })), looks, DEFAULT_RULES)
  }
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
 * @param {import('../../../harness/verdict.js').Comparison[]} rows
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

/**
 * With its share of the controls.
 *
 * @param {Pair} pair
 */
const secondsOf = ({ base, head }) => (base.seconds + head.seconds) * SAMPLES_PER_PAIR / 2

/** @param {Pair[][]} cells */
const fewest = cells => Math.min(...cells.map(pairs => pairs.length))

/** @param {CalibrationSample} sample */
const standardError = ({ mean, errorPercent }) => mean * errorPercent / 100 / Z_INTERVAL

/**
 * @template T
 * @param {T[]} items
 * @param {(item: T) => boolean} condition
 */
const share = (items, condition) => items.filter(condition).length / items.length
