/**
 * What each rule of a verdict is for, and how often it works: false alarms, power and coverage on data whose truth is
 * known. Seeded, so the figures are the same every time.
 */
import { formatCount } from '../../harness/model/numbers.js'
import { FEWEST_ROUNDS, reachOf } from '../../harness/judge/precision.js'
import { intervalOf } from '../../harness/judge/ratio.js'
import { recommend } from '../../harness/trace/recommend.js'
import { chancesOfSteps, changePoints } from '../../harness/judge/statistics/change-points.js'
import { fitGrowth } from '../../harness/judge/statistics/growth.js'
import { holm } from '../../harness/judge/statistics/holm.js'
import { createPlan } from '../../harness/plan/plan.js'
import { DEFAULT_RULES } from '../../harness/judge/verdict.js'
import { correlated, normal, uniform } from '../../test/harness/judge/statistics/noise.js'
import { runGate, shareOfGates } from './gates.js'
import { inMemory } from '../../test/harness/judge/samples-in-memory.js'

/**
 * @typedef {object} Simulation
 * @property {string} rule
 * @property {string} data
 * @property {string} counted  What the share counts.
 * @property {number} least  Bounds of the share, between which the rule does what it should.
 * @property {number} most
 * @property {(count: number) => number} run  Returns the share in so many repetitions.
 * @property {number} [weight]  Of the repetitions: fewer where each takes long.
 */

const noise = normal(101)
const chance = uniform(102)

/** @param {number} spread */
const quiet = spread => () => Math.exp(spread * noise())

/**
 * @param {() => number} next
 * @param {number} share  Of the processes of a side.
 * @param {number} factor  By which they take longer.
 */
const sometimes = (next, share, factor) => () => next() * (chance() < share ? factor : 1)

/**
 * @param {number} spread
 * @param {number} correlation
 * @param {number} [slowdown]
 */
function drifting (spread, correlation, slowdown = 1) {
  const drift = correlated(correlation, noise)
  return () => slowdown * Math.exp(spread * drift())
}

/**
 * @template T
 * @param {number} count
 * @param {() => T} make
 */
const repeat = (count, make) => Array.from({ length: count }, make)

/** @param {{verdict: string}} gate */
const isRegression = ({ verdict }) => verdict === 'regression'
/** @param {{verdict: string}} gate */
const isPass = ({ verdict }) => verdict === 'pass'

/**
 * The median of the slowdowns that gates of identical code claim to detect.
 *
 * @param {import('./gates.js').SimulatedGate} gate
 * @param {number} spread
 */
function claimOf (gate, spread) {
  const claims = repeat(401, () => runGate({ ...gate, rows: [quiet(spread)] }).rows[0].detectable ?? Infinity)
  return claims.sort((a, b) => a - b)[200]
}

/**
 * @param {{rows: import('../../harness/judge/verdict.js').Comparison[]}} gate
 */
function contradicts ({ rows }) {
  const floor = 1 + DEFAULT_RULES.floor
  return rows.some(({ low, p, verdict }) => {
    const isAbove = Number(low) >= floor - 1e-12
    return (verdict === 'regression') !== (Number(p) <= DEFAULT_RULES.alpha) || ((verdict === 'regression') !== isAbove && Number(low) !== floor)
  })
}

/**
 * Whether a recommendation after this many rounds is wrong: the other queue saves 3 % of a core, or nothing.
 *
 * @param {number} rounds
 * @param {number} saving  Of the time of node.
 * @param {string} wrong
 */
function recommendsWrongly (rounds, saving, wrong) {
  const plan = createPlan(/** @type {any} */ ({
    settings: { seed: 1, rounds, budgetSeconds: null, control: { micro: 'node' } },
    queues: ['node', 'other'].map(name => ({ name, origin: 'own', meta: {} })),
    scenarios: [{ name: 'trace', kind: 'micro', values: {} }],
    runtimes: [{ name: 'v20' }]
  }))
  const samples = plan.cells.flatMap(({ id, ...cell }) => repeat(rounds, () => 0).map((_, round) => ({
    ...cell, cell: id, round, channel: 'time', warnings: [], metrics: { nsPerOp: (cell.queue === 'node' ? 100 : 100 - saving) * Math.exp(0.1 * noise()) }
  })))
  const run = { command: [], started: '', ended: '', environment: {}, plan }
  const trace = /** @type {any} */ ({ perBusiestSecond: 1_000_000 })
  return recommend(/** @type {any} */ ({ directory: '', run, samples: inMemory(samples), warnings: [] }), trace).verdict === wrong
}

/**
 * Whether a history of thirty trends shows any change.
 *
 * @param {() => () => number} seriesOf
 */
function showsChange (seriesOf) {
  const trends = repeat(30, () => repeat(30, seriesOf()))
  const chances = holm(chancesOfSteps(trends))
  return trends.some((values, i) => chances[i] <= 0.05 && changePoints(values, 0.02).length > 0)
}

/** @param {number} spread  Of cells. */
function growthOf (spread) {
  return fitGrowth([100, 1000, 10_000, 100_000].flatMap(x => {
    const cell = 20 * x ** 0.7 * Math.exp(spread * noise())
    return repeat(7, () => ({ x, cost: cell * Math.exp(0.02 * noise()) }))
  }))
}

/** Log ratios of heats whose true one is 0. @type {Record<string, () => number>} */
const HEATS = {
  'spread 1 %': () => 0.01 * noise(),
  'spread 4 %': () => 0.04 * noise(),
  'spread 1 %, one in ten 10 to 40 % off': () => 0.01 * noise() + (chance() < 0.1 ? (chance() < 0.5 ? 1 : -1) * (0.1 + 0.3 * chance()) : 0),
  'two peaks 6 % apart': () => (chance() < 0.5 ? 0.03 : -0.03) + 0.01 * noise()
}

/**
 * @param {number[]} logs
 * @returns {boolean} whether the interval holds the true ratio
 */
function holdsRatio (logs) {
  const { low, high } = intervalOf(logs, 'heat')
  return low <= 0 && high >= 0
}

/**
 * The heats of a table that is measured until its ratios are known within 3 %, or until it has had twelve.
 *
 * @param {number} ratios
 * @param {() => number} next
 * @returns {number[][]} by ratio
 */
function untilKnown (ratios, next) {
  const table = repeat(ratios, () => repeat(FEWEST_ROUNDS, next))
  const isKnown = (/** @type {number[]} */ logs) => {
    const { estimate, low, high } = intervalOf(logs, 'heat')
    return reachOf({ median: Math.exp(estimate), low: Math.exp(low), high: Math.exp(high) }) <= 0.03
  }
  while (table[0].length < 12 && !table.every(isKnown)) {
    for (const logs of table) logs.push(next())
  }
  return table
}

/**
 * @param {number} count
 * @param {() => boolean} happens
 */
const shareOf = (count, happens) => repeat(count, happens).filter(Boolean).length / count

/** @type {Simulation[]} */
export const simulations = [
  {
    rule: 'alpha, looks and rows',
    data: '3 rows at the floor, spread 4 %',
    counted: 'gates with a regression',
    least: 0,
    most: 0.05,
    run: count => shareOfGates(count, () => ({ rows: repeat(3, () => () => 1.02 * quiet(0.04)()) }), isRegression)
  },
  {
    rule: 'alpha, looks and rows',
    data: '6 rows of identical code, spread 4 %',
    counted: 'gates with a regression',
    least: 0,
    most: 0.005,
    run: count => shareOfGates(count, () => ({ rows: repeat(6, () => quiet(0.04)) }), isRegression)
  },
  {
    rule: 'pass',
    data: '6 rows of identical code, spread 2 %',
    counted: 'gates that pass',
    least: 0.95,
    most: 1,
    run: count => shareOfGates(count, () => ({ rows: repeat(6, () => quiet(0.02)) }), isPass)
  },
  {
    rule: 'pass',
    data: 'head 5 % slower, spread 4 %',
    counted: 'gates that pass',
    least: 0,
    most: 0.05,
    run: count => shareOfGates(count, () => ({ rows: [() => 1.05 * quiet(0.04)()] }), isPass)
  },
  ...[1, 2].flatMap(percent => [[0.1, 2, 0.4], [0.2, 1.5, 0.1]].map(([share, factor, most]) => ({
    rule: 'wild pairs',
    data: `${share * 100} % of head processes take ${factor === 2 ? 'twice' : `${factor} times`} as long, spread ${percent} %`,
    counted: 'gates that pass',
    least: 0,
    most,
    run: (/** @type {number} */ count) => shareOfGates(count, () => ({ rows: [sometimes(quiet(percent / 100), share, factor)] }), isPass)
  }))),
  {
    rule: 'wild pairs',
    data: 'identical code, 10 % of processes of both sides take twice as long',
    counted: 'gates that pass',
    least: 0.8,
    most: 1,
    run: count => shareOfGates(count, () => ({ rows: [() => sometimes(quiet(0.02), 0.1, 2)() / sometimes(() => 1, 0.1, 2)()] }), isPass)
  },
  {
    rule: 'dependence',
    data: '6 rows at the floor, lag-1 correlation 0.6',
    counted: 'gates with a regression',
    least: 0,
    most: 0.05,
    weight: 0.5,
    run: count => shareOfGates(count, () => ({ rows: repeat(6, () => drifting(0.04, 0.6, 1.02)) }), isRegression)
  },
  {
    rule: 'dependence',
    data: '6 rows of identical code, lag-1 correlation 0.6',
    counted: 'gates with a regression',
    least: 0,
    most: 0.01,
    weight: 0.5,
    run: count => shareOfGates(count, () => ({ rows: repeat(6, () => drifting(0.04, 0.6)) }), isRegression)
  },
  {
    rule: 'dependence',
    data: '6 rows of identical code, spread 2 %, lag-1 correlation 0.9',
    counted: 'gates with a regression',
    least: 0,
    most: 0.01,
    weight: 0.5,
    run: count => shareOfGates(count, () => ({ rows: repeat(6, () => drifting(0.02, 0.9)) }), isRegression)
  },
  {
    rule: 'dependence',
    data: 'one of 2 rows of 13 independent pairs 10 % slower, spread 1.4 %',
    counted: 'gates with a regression',
    least: 0.99,
    most: 1,
    run: count => shareOfGates(count, () => ({ pairs: 13, rows: [() => 1.1 * quiet(0.014)(), quiet(0.014)] }), isRegression)
  },
  {
    rule: 'dependence',
    data: 'one row of 30 pairs at the floor, one look, lag-1 correlation 0.6',
    counted: 'comparisons with a regression',
    least: 0,
    // One row alone shows its correlation late; a stricter level would find dependence in too many gates that have none.
    most: 0.07,
    run: count => shareOfGates(count, () => ({ pairs: 30, looks: false, rows: [drifting(0.04, 0.6, 1.02)] }), isRegression)
  },
  {
    rule: 'lost samples',
    data: 'head loses 60 % of its samples, and is level otherwise',
    counted: 'gates that pass',
    least: 0,
    most: 0,
    run: count => shareOfGates(count, () => ({ rows: [() => chance() < 0.6 ? Infinity : quiet(0.01)()] }), isPass)
  },
  {
    rule: 'lost samples',
    data: 'identical code, either side loses 5 %, spread 4 %',
    counted: 'gates with a regression',
    least: 0,
    most: 0.01,
    run: count => shareOfGates(count, () => ({ rows: [() => chance() < 0.05 ? Infinity : chance() < 0.05 ? 0 : quiet(0.04)()] }), isRegression)
  },
  ...[0.2, 2, 8].map(percent => ({
    rule: 'detectable',
    data: `head slower by what gates of identical code claim to detect, spread ${percent} %`,
    counted: 'gates with a regression',
    least: 0.75,
    most: 0.85,
    run: (/** @type {number} */ count) => {
      const slowdown = 1 + claimOf({ rows: [] }, percent / 100)
      return shareOfGates(count, () => ({ rows: [() => slowdown * quiet(percent / 100)()] }), isRegression)
    }
  })),
  {
    rule: 'bounds',
    data: '4 rows, 0 to 8 % slower, spread 0 to 6 %',
    counted: 'gates whose p contradicts an interval',
    least: 0,
    most: 0,
    run: count => shareOfGates(count, () => ({
      rows: repeat(4, () => {
        const [slowdown, spread] = [1 + 0.08 * chance(), 0.06 * chance()]
        return () => slowdown * quiet(spread)()
      })
    }), contradicts)
  },
  {
    rule: 'guards',
    data: 'identical code, p99 that spreads by 60 %',
    counted: 'gates that pass',
    least: 0.95,
    most: 1,
    run: count => shareOfGates(count, () => ({ rows: [quiet(0.02), quiet(0.6)], metrics: ['cpuMicrosPerRequest', 'latencyP99Ms'] }), isPass)
  },
  {
    rule: 'guards',
    data: 'CPU level, p99 three times as long, spread 40 %',
    counted: 'gates with a regression',
    least: 0.95,
    most: 1,
    run: count => shareOfGates(count, () => ({ rows: [quiet(0.03), () => 3 * quiet(0.4)()], metrics: ['cpuMicrosPerRequest', 'latencyP99Ms'] }), isRegression)
  },
  ...Object.entries(HEATS).flatMap(([data, next]) => [
    {
      rule: 'ratio',
      data: `8 heats, ${data}`,
      counted: 'intervals that hold the ratio',
      least: 0.92,
      most: 1,
      run: (/** @type {number} */ count) => shareOf(count, () => holdsRatio(repeat(8, next)))
    },
    ...[1, 5].map(ratios => ({
      rule: 'until 3 %',
      data: `12 heats at most, ${formatCount(ratios, 'ratio')}, ${data}`,
      counted: 'intervals that hold the ratio',
      least: 0.9,
      most: 1,
      run: (/** @type {number} */ count) => {
        const tables = repeat(Math.ceil(count / ratios), () => untilKnown(ratios, next)).flat()
        return tables.filter(holdsRatio).length / tables.length
      }
    }))
  ]),
  ...[1, 3, 7].flatMap(rounds => [
    {
      rule: 'recommend',
      data: `${formatCount(rounds, 'round')}, the other queue saves 3 % of a core`,
      counted: 'keep',
      least: 0,
      most: 0.05,
      run: (/** @type {number} */ count) => shareOf(count, () => recommendsWrongly(rounds, 30, 'keep'))
    },
    {
      rule: 'recommend',
      data: `${formatCount(rounds, 'round')}, the other queue saves nothing`,
      counted: 'change',
      least: 0,
      most: 0.05,
      run: (/** @type {number} */ count) => shareOf(count, () => recommendsWrongly(rounds, 0, 'change'))
    }
  ]),
  ...Object.entries({
    'steady noise of 4 %': () => () => 0.04 * noise(),
    'lag-1 correlation 0.6': () => {
      const drift = correlated(0.6, noise)
      return () => 0.04 * drift()
    },
    'two peaks 20 % apart': () => () => (chance() < 0.5 ? 0.2 : 0) + 0.01 * noise()
  }).map(([data, seriesOf]) => ({
    rule: 'history',
    data: `30 trends of 30 runs, ${data}, nothing changes`,
    counted: 'histories that show a change',
    least: 0,
    most: 0.05,
    weight: 0.2,
    run: (/** @type {number} */ count) => shareOf(count, () => showsChange(seriesOf))
  })),
  {
    rule: 'history',
    data: '30 runs, 16 % slower from the middle on, noise of 4 %',
    counted: 'trends of 30 whose change is shown',
    least: 0.6,
    most: 1,
    run: count => shareOf(count, () => {
      const values = repeat(30, noise).map((value, i) => (i < 15 ? 0 : Math.log(1.16)) + 0.04 * value)
      return changePoints(values, 0.02).length > 0 && chancesOfSteps([values])[0] <= 0.05 / 30
    })
  },
  ...[0, 5].flatMap(percent => [
    {
      rule: 'growth',
      data: `4 sizes, cells deviate by ${percent} %`,
      counted: 'intervals that hold the exponent',
      least: 0.93,
      most: 0.97,
      run: (/** @type {number} */ count) => shareOf(count, () => {
        const { low, high } = growthOf(percent / 100)
        return low <= 0.7 && high >= 0.7
      })
    },
    {
      rule: 'growth',
      data: `4 sizes, cells deviate by ${percent} %, straight`,
      counted: 'lines said to bend',
      least: 0,
      most: 0.01,
      run: (/** @type {number} */ count) => shareOf(count, () => growthOf(percent / 100).bends)
    }
  ])
]
