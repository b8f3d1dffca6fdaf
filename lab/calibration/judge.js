/**
 * Findings of the calibration. Rows of identical code are judged with no heat used twice, which bounds the rate of
 * false alarms. The slowdowns that a gate finds follow from gates drawn from all heats with replacement: planned,
 * looked at and ended as a gate of two minutes is.
 */
import { median } from 'simple-statistics'
import { GATE } from '../../bin/presets.js'
import { heatSeconds } from '../../harness/plan/step-seconds.js'
import { judgeControl } from '../../harness/gate/judge-gate.js'
import { affordableRounds, planLooks } from '../../harness/gate/gate-plan.js'
import { FEWEST_PAIRS } from '../../harness/model/heats.js'
import { HEATS_PER_CONTROL, PROCESSES_PER_HEAT } from '../../harness/plan/rows.js'
import { groupBy } from '../../harness/model/group-by.js'
import { measuredMetrics } from '../../harness/model/metrics.js'
import { createRandom, shuffle } from '../../harness/model/random.js'
import { pseudoMedian } from '../../harness/judge/statistics/pseudo-median.js'
import { decide } from '../../harness/judge/decision.js'
import { spreadOf, testRows } from '../../harness/judge/row-tests.js'
import { DEFAULT_RULES, overallVerdict } from '../../harness/judge/verdict.js'
import { EDITED, HEATS_PER_PAIRING, SERVER_SLOWDOWNS, SLOWDOWNS } from './measure.js'

/**
 * @typedef {import('./samples.js').Measurement} Measurement
 *
 * @typedef {import('./samples.js').Heat} Heat
 *
 * @typedef {import('../../harness/judge/verdict.js').Verdict} Verdict
 *
 * @typedef {object} Pair  Two arms of one heat.
 * @property {number} seconds  Duration of a gate's heat of this cell.
 * @property {Record<string, {base: number, head: number, ratio: number}>} values  Values by metric; the first decides.
 *
 * @typedef {{regression: number, inconclusive: number, pass: number, rows: number, pairs: number}} Outcomes  `pairs`:
 *   mean of a row.
 *
 * @typedef {{median: number, low: number, high: number}} Injected  The slowdown as measured; the lowest and the
 *   highest of any cell.
 *
 * @typedef {{cell: string, spread: number, injected: number, found: number}} JudgedCell  `spread`: the gate's figure
 *   for identical code.
 *
 * @typedef {{pairs: number, planned: number, outcomes: Outcomes}} Disjoint  Rows of consecutive heats, none used twice:
 *   `pairs` of `planned`.
 *
 * @typedef {object} Findings  About gates of one kind.
 * @property {number} heats  Heats of identical code.
 * @property {number} planned  Pairs a row, at most.
 * @property {Disjoint[]} disjoint  Rows of identical code.
 * @property {Outcomes} identical  Drawn gates of identical code.
 * @property {number} passed  Share of these gates that pass as a whole.
 * @property {number} alarmed  Share of these gates with a false alarm in any row.
 * @property {number} contaminated  Share of these gates whose control moved, so that they give no verdict.
 * @property {{slowdown: number, heats: number, injected: Injected, outcomes: Outcomes, cells: JudgedCell[]}[]} slowed
 * @property {{name: string, alarms: number, found: number[]}[]} rivals
 *
 * @typedef {object} Situation
 * @property {Findings | null} micro  null: too little of the kind was measured for any row.
 * @property {Findings | null} servers
 *
 * @typedef {object} Calibration
 * @property {Situation} alone
 * @property {Situation} loaded  Measured with a busy loop on each core.
 * @property {{same: number, alarms: number, compared: number, found: number, cellsFound: string}} exact
 */

/** Budget of the gates that the figures describe. */
export const BUDGET_SECONDS = 120
export const ROWS = { micro: 6, servers: 2 }
/** Time before the first heat of a gate. */
const COUNTING_SECONDS = { micro: 12, servers: 2 }

const GATES_DRAWN = 400
const KINDS = {
  micro: { identical: 'identical', slowed: 'slowed', slowdowns: SLOWDOWNS, isHttp: false },
  servers: { identical: 'servers', slowed: 'servers', slowdowns: SERVER_SLOWDOWNS, isHttp: true }
}

/** Usual practice without a gate: a process before the change, and one after it. */
const RIVALS = [0.05, 0.1].map(limit => ({
  name: `one process each, more than ${100 * limit} % apart`,
  isSlower: (/** @type {{base: number, head: number}} */ { base, head }) => head / base > 1 + limit
}))

/**
 * @param {Measurement[]} measurements
 * @param {{cores: number, seed: number, gatesDrawn?: number}} options  `gatesDrawn`: for each figure.
 * @returns {Calibration}
 */
export function judgeCalibration (measurements, { cores, seed, gatesDrawn = GATES_DRAWN }) {
  const situation = (/** @type {boolean} */ load) => {
    const heats = /** @type {Heat[]} */ (measurements.filter(line => 'arms' in line && line.load === load))
    const find = (/** @type {keyof typeof KINDS} */ rows) => judgeKind(heats, rows, { cores, seed, gatesDrawn })
    return { micro: find('micro'), servers: find('servers') }
  }
  return {
    alone: situation(false),
    loaded: situation(true),
    exact: judgeCounts(measurements)
  }
}

/**
 * @param {Heat[]} heats
 * @param {keyof typeof KINDS} gate
 * @param {{cores: number, seed: number, gatesDrawn: number}} options
 * @returns {Findings | null}
 */
function judgeKind (heats, gate, { cores, seed, gatesDrawn }) {
  const kind = KINDS[gate]
  const of = (/** @type {string} */ wanted) => heats.filter(({ kind }) => kind === wanted)
  const series = seriesOf(of(kind.identical), kind.isHttp)
  if (series.size === 0) return null
  const cells = [...series.keys()]
  const planned = Math.min(
    GATE.rounds,
    affordableRounds(
      GATE,
      { servers: kind.isHttp ? ROWS[gate] : 0, others: kind.isHttp ? 0 : ROWS[gate] },
      BUDGET_SECONDS,
      cores
    )
  )
  // Micro heats run on all cores at once.
  const lanes = gate === 'micro' ? cores : 1
  const limits = { planned, secondsForHeats: (BUDGET_SECONDS - COUNTING_SECONDS[gate]) * lanes }
  const random = createRandom(seed)
  const pick = (/** @type {any[]} */ list) => list[random(list.length)]
  const draw = (/** @type {Pair[]} */ pairs) => Array.from({ length: planned }, () => /** @type {Pair} */ (pick(pairs)))
  const drawIdentical = (/** @type {string} */ cell) => draw(pick(/** @type {Pair[][]} */ (series.get(cell))))
  /** The cells of a gate, with the first given. */
  const drawCells = (/** @type {string} */ first) => {
    const others = shuffle(
      cells.filter(cell => cell !== first),
      random
    )
    return [first, ...Array.from({ length: ROWS[gate] - 1 }, (_, i) => others[i % others.length] ?? first)]
  }
  const drawn = Array.from({ length: gatesDrawn }, () => playGate(drawCells(pick(cells)).map(drawIdentical), limits))
  const everySeries = [...series.values()].flat()
  return {
    heats: of(kind.identical).length,
    planned,
    disjoint: judgeDisjoint(everySeries, ROWS[gate], planned, seed),
    identical: countOutcomes(drawn.flat()),
    passed: share(drawn, rows => overallVerdict(rows.map(({ verdict }) => ({ gates: true, verdict }))) === 'pass'),
    alarmed: share(drawn, rows => rows.some(({ verdict }) => verdict === 'regression')),
    contaminated: share(drawn, isContaminated),
    slowed: kind.slowdowns.flatMap(judgeSlowdown),
    rivals: gate === 'micro' ? judgeRivals() : []
  }

  /**
   * Draws the control from the same pairs of identical code, one for every few pairs as in a gate.
   *
   * @param {ReturnType<typeof playGate>} rows
   */
  function isContaminated (rows) {
    const count = Math.ceil(rows.reduce((sum, { pairs }) => sum + pairs, 0) / HEATS_PER_CONTROL)
    return (
      judgeControl(
        Array.from({ length: count }, () => shiftOf(pick(pick(everySeries)))),
        DEFAULT_RULES
      )?.moved ?? false
    )
  }

  /**
   * Slows one cell after the other, and leaves the rest alone.
   *
   * @param {number} slowdown
   * @returns {Findings['slowed']} empty: not measured
   */
  function judgeSlowdown (slowdown) {
    const slowed = slowedBy(slowdown)
    if (slowed.size === 0) return []
    const names = [...slowed.keys()]
    const rows = Array.from({ length: gatesDrawn }, (_, i) => {
      const [cell, ...others] = drawCells(names[i % names.length])
      return playGate(
        [
          draw(/** @type {Pair[]} */ (slowed.get(cell))),
          ...others.map(other => (series.has(other) ? drawIdentical(other) : draw(pick(everySeries))))
        ],
        limits
      )[0]
    })
    const judged = names.map((cell, index) => ({
      cell,
      spread: spreadOf((series.get(cell) ?? everySeries).flat().map(shiftOf)),
      injected: Math.expm1(pseudoMedian(/** @type {Pair[]} */ (slowed.get(cell)).map(shiftOf)).estimate),
      found: share(
        rows.filter((_, i) => i % names.length === index),
        ({ verdict }) => verdict === 'regression'
      )
    }))
    const injected = judged.map(({ injected }) => injected)
    return [
      {
        slowdown,
        heats: Math.min(...names.map(cell => /** @type {Pair[]} */ (slowed.get(cell)).length)),
        injected: { median: median(injected), low: Math.min(...injected), high: Math.max(...injected) },
        outcomes: countOutcomes(rows),
        cells: judged
      }
    ]
  }

  /**
   * @param {number} slowdown
   * @returns {Map<string, Pair[]>} by cell
   */
  function slowedBy (slowdown) {
    const pairs = of(kind.slowed)
      .flatMap(heat => pairsOf(heat, kind.isHttp))
      .filter(({ arm }) => arm === String(slowdown))
    return new Map([...groupBy(pairs, ({ cell }) => cell)].filter(([, ofCell]) => ofCell.length >= FEWEST_PAIRS))
  }

  /** The base of one heat and the head of the next: processes that ran one after the other. */
  function judgeRivals () {
    const inTurn = (/** @type {Pair[]} */ pairs) =>
      pairs.slice(1).map(
        (
          {
            values: {
              nsPerOp: { head }
            }
          },
          i
        ) => ({ base: pairs[i].values.nsPerOp.base, head })
      )
    const identical = everySeries.flatMap(inTurn)
    const slowed = kind.slowdowns.map(slowdown => [...slowedBy(slowdown).values()].flatMap(inTurn))
    return RIVALS.map(({ name, isSlower }) => ({
      name,
      alarms: share(identical, isSlower),
      found: slowed.filter(pairs => pairs.length > 0).map(pairs => share(pairs, isSlower))
    }))
  }
}

/**
 * @param {Pair[][]} series
 * @param {number} rowsPerGate
 * @param {number} planned  Pairs a row, at most.
 * @param {number} seed
 * @returns {Disjoint[]}
 */
function judgeDisjoint (series, rowsPerGate, planned, seed) {
  return [
    { pairs: FEWEST_PAIRS, planned: FEWEST_PAIRS },
    ...(planned > FEWEST_PAIRS ? [{ pairs: planLooks(planned)[0].rounds, planned }] : []),
    { pairs: Math.min(HEATS_PER_PAIRING, planned), planned }
  ].map(row => {
    const rows = shuffle(
      series.flatMap(pairs => chunks(pairs, row.pairs)),
      createRandom(seed)
    )
    const limits = { planned: row.planned, secondsForHeats: Infinity }
    return { ...row, outcomes: countOutcomes(chunks(rows, rowsPerGate, true).flatMap(gate => playGate(gate, limits))) }
  })
}

/**
 * Judges the cells of a gate, which stops like harness/gate/stop-rule.js: cells that are decided at a look get no more
 * heats, and no cell gets any when the time is spent.
 *
 * @param {Pair[][]} cells  Pairs of each cell, in the order in which they come.
 * @param {{planned: number, secondsForHeats: number}} limits
 * @returns {{verdict: Verdict, pairs: number}[]}
 */
function playGate (cells, { planned, secondsForHeats }) {
  const looks = planLooks(planned)
  const taken = cells.map(() => 0)
  const there = Math.min(...cells.map(pairs => pairs.length))
  const series = cells.map(seriesByMetric)
  let open = [...cells.keys()]
  let secondsLeft = secondsForHeats
  for (const { rounds } of looks.filter(({ rounds }) => rounds < there)) {
    if (!take(rounds)) return judgeTaken()
    const judged = judgeTaken()
    open = open.filter(cell => judged[cell].verdict === 'inconclusive')
    if (open.length === 0) return judged
  }
  take(Math.min(there, planned))
  return judgeTaken()

  /**
   * @param {number} rounds
   * @returns {boolean} whether there was time for all of them
   */
  function take (rounds) {
    for (let round = Math.max(0, ...open.map(cell => taken[cell])); round < rounds; round++) {
      for (const cell of open) {
        secondsLeft -= cells[cell][round].seconds
        if (secondsLeft < 0) return false
        taken[cell]++
      }
    }
    return true
  }

  function judgeTaken () {
    // A gate does not judge a row without a pair.
    const rows = series.flatMap((byMetric, cell) =>
      taken[cell] === 0
        ? []
        : byMetric.map(({ metric, pairs }) => ({
          scenario: String(cell),
          params: {},
          queue: '',
          runtime: '',
          metric,
          gates: true,
          rounds: taken[cell],
          pairs: pairs.slice(0, taken[cell])
        }))
    )
    const byCell = groupBy(
      [...testRows(rows, looks, DEFAULT_RULES).values()].flat().map(decide),
      ({ scenario }) => scenario
    )
    return cells.map((_, cell) => ({ verdict: overallVerdict(byCell.get(String(cell)) ?? []), pairs: taken[cell] }))
  }
}

/** @param {Pair[]} pairs */
function seriesByMetric (pairs) {
  return Object.keys(pairs[0].values).map(metric => ({
    metric,
    pairs: pairs.map(({ values }, round) => ({ round, ...values[metric] }))
  }))
}

/**
 * Consecutive pairs of the same two neutral edits. Series too short for a row are left out.
 *
 * @param {Heat[]} heats
 * @param {boolean} isHttp
 * @returns {Map<string, Pair[][]>} by cell
 */
function seriesOf (heats, isHttp) {
  const pairs = heats
    .flatMap(heat => pairsOf(heat, isHttp))
    .filter(({ kind, arm }) => kind === 'identical' || arm === EDITED)
  const cells = groupBy(pairs, ({ cell }) => cell)
  const byCell = [...cells].map(
    ([cell, ofCell]) =>
      /** @type {[string, Pair[][]]} */ ([
        cell,
        [
          ...groupBy(
            ofCell,
            ({ round, base, arm }) => `${Math.floor(round / HEATS_PER_PAIRING)} ${base} ${arm}`
          ).values()
        ].filter(({ length }) => length >= FEWEST_PAIRS)
      ])
  )
  return new Map(byCell.filter(([, series]) => series.length > 0))
}

/**
 * @param {Heat} heat
 * @param {boolean} isHttp
 * @returns {(Pair & {kind: string, cell: string, round: number, base: string, arm: string})[]}
 */
function pairsOf ({ kind, cell, round, seconds, arms }, isHttp) {
  const cells = Object.keys(arms).length
  const ofGate =
    (seconds * heatSeconds(GATE, { isHttp, cells: PROCESSES_PER_HEAT })) / heatSeconds(GATE, { isHttp, cells })
  return Object.entries(arms).flatMap(([arm, { metrics, base, ratios }]) => {
    const other = base === undefined ? undefined : arms[base]
    if (base === undefined || other === undefined) return []
    // The samples hold more metrics than a gate judges.
    const values = Object.fromEntries(
      measuredMetrics
        .filter(metric => metric in metrics && metric in other.metrics)
        .map(metric => {
          const [head, base] = [metrics[metric], other.metrics[metric]]
          return [metric, { base, head, ratio: ratios?.[metric] ?? head / base }]
        })
    )
    return [{ kind, cell, round, base, arm, seconds: ofGate, values }]
  })
}

/**
 * @param {{verdict: Verdict, pairs: number}[]} rows
 * @returns {Outcomes}
 */
function countOutcomes (rows) {
  const count = (/** @type {string} */ wanted) => rows.filter(({ verdict }) => verdict === wanted).length
  const pairs = rows.length === 0 ? 0 : rows.reduce((sum, { pairs }) => sum + pairs, 0) / rows.length
  return {
    regression: count('regression'),
    inconclusive: count('inconclusive'),
    pass: count('pass'),
    rows: rows.length,
    pairs
  }
}

/** @param {{cell: string}[]} counts */
const cellCount = counts => new Set(counts.map(({ cell }) => cell)).size

/** @param {Measurement[]} measurements */
function judgeCounts (measurements) {
  const counts = measurements.filter(line => line.kind === 'counts')
  const same = counts.filter(({ same }) => same)
  const compared = counts.filter(({ same, metric }) => !same && metric === 'workPerOp')
  const found = compared.filter(({ base, head }) => head > base)
  return {
    same: same.length,
    alarms: same.filter(({ base, head }) => head !== base).length,
    compared: compared.length,
    found: found.length,
    cellsFound: `${cellCount(found)} of ${cellCount(compared)} cells`
  }
}

/** @param {Pair} pair */
const shiftOf = ({ values }) => Math.log(Object.values(values)[0].ratio)

/**
 * @template T
 * @param {T[]} items
 * @param {number} length
 * @param {boolean} [isRestKept]  Keep a shorter rest; default: drop it.
 * @returns {T[][]}
 */
function chunks (items, length, isRestKept = false) {
  const count = (isRestKept ? Math.ceil : Math.floor)(items.length / length)
  return Array.from({ length: count }, (_, i) => items.slice(i * length, (i + 1) * length))
}

/**
 * @template T
 * @param {T[]} items
 * @param {(item: T) => boolean} condition
 */
const share = (items, condition) => (items.length === 0 ? 0 : items.filter(condition).length / items.length)
