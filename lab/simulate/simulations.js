/**
 * Simulations of every rule of a verdict: false alarms, power and coverage on data whose truth is known. Seeded, so the
 * figures are the same every time.
 */
import { KNOWN_HEATS } from '../../harness/model/heats.js'
import { formatCount } from '../../harness/model/numbers.js'
import { reachOf } from '../../harness/judge/precision.js'
import { ratioInterval } from '../../harness/judge/statistics/interval.js'
import { CONFIDENCE as CLAIM_CONFIDENCE, decide, LOOKS } from '../../harness/reproduce/judge-claims.js'
import { correlated, normal, uniform } from '../../test/harness/judge/statistics/noise.js'
import { shareOfGates } from './gates.js'

/**
 * @import { Comparison } from '../../harness/judge/records.js'
 * @import { SimulatedGate } from './gates.js'
 */

/**
 * @typedef {object} Simulation
 * @property {string} rule
 * @property {string} data
 * @property {string} counted  Meaning of the share.
 * @property {number} least  Bounds within which the share should be.
 * @property {number} most
 * @property {(count: number) => number} run  Returns the share in this many repetitions.
 * @property {number} [weight]  Share of the repetitions: lower where each takes long.
 */

const noise = normal(101)
const chance = uniform(102)

/** @param {number} spread */
const steady = spread => () => spread * noise()
/** @param {number} spread */
const withOutliers = spread => () =>
  spread * noise() + (chance() < 0.1 ? (chance() < 0.5 ? 1 : -1) * (0.1 + 0.3 * chance()) : 0)

/**
 * Log ratios of heats whose true value is 0.
 *
 * @type {Record<string, () => number>}
 */
const LOG_RATIOS = {
  'spread 1 %': steady(0.01),
  'spread 6 %': steady(0.06),
  'spread 1 %, one in ten 10 to 40 % off': withOutliers(0.01),
  'spread 6 %, one in ten 10 to 40 % off': withOutliers(0.06),
  'two peaks 6 % apart': () => (chance() < 0.5 ? 0.03 : -0.03) + 0.01 * noise()
}

/** @param {number} spread */
const quiet = spread => () => Math.exp(spread * noise())

/**
 * @param {() => number} next
 * @param {number} share  Share of the processes of a side that take longer.
 * @param {number} factor  Factor by which they take longer.
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

/** @type {Record<string, (gate: {verdict: string, rows: Comparison[]}) => boolean>} */
const CONDITIONS = {
  'gates with a regression': ({ verdict }) => verdict === 'regression',
  'gates that pass': ({ verdict }) => verdict === 'pass',
  'gates with a regression after 8 pairs': ({ verdict, rows: [{ pairs }] }) => verdict === 'regression' && pairs === 8,
  'gates that pass after 8 pairs': ({ verdict, rows: [{ pairs }] }) => verdict === 'pass' && pairs === 8,
  'gates that call a row faster': ({ rows }) => rows.some(({ verdict }) => verdict === 'pass')
}

/**
 * @param {string} rule
 * @param {string} data
 * @param {keyof typeof CONDITIONS} counted
 * @param {[number, number]} bounds  Bounds of the share.
 * @param {() => SimulatedGate} draw
 * @param {number} [weight]
 * @returns {Simulation}
 */
const gates = (rule, data, counted, [least, most], draw, weight) => ({
  rule,
  data,
  counted,
  least,
  most,
  weight,
  run: count => shareOfGates(count, draw, CONDITIONS[counted])
})

/** @param {number[]} logs */
function holdsRatio (logs) {
  const { low, high } = ratioInterval(logs.map(Math.exp))
  return low <= 1 && high >= 1
}

/**
 * The heats of a table that is measured until its ratios are known within 3 %, or until it has had twelve.
 *
 * @param {number} ratios
 * @param {() => number} next
 * @returns {number[][]} by ratio
 */
function untilKnown (ratios, next) {
  const table = repeat(ratios, () => repeat(KNOWN_HEATS, next))
  const isKnown = (/** @type {number[]} */ logs) => reachOf(ratioInterval(logs.map(Math.exp))) <= 0.03
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

/**
 * The verdict on a condition of a claim.
 *
 * @param {() => number} next  The next ratio, by which the limit is exceeded.
 * @param {number} [most]  Pairs of the last look.
 */
function decideClaim (next, most = Infinity) {
  /** @type {number[]} */
  const ratios = []
  for (const look of LOOKS.filter(look => look <= most)) {
    while (ratios.length < look) ratios.push(next())
    const holds = decide(ratioInterval(ratios, CLAIM_CONFIDENCE), { above: 1 })
    if (holds !== null) return holds
  }
  return null
}

const [REGRESSION, PASS, EARLY_REGRESSION, EARLY_PASS, ANY_FASTER] = Object.keys(CONDITIONS)
const FASTER = /** @type {const} */ ({ change: 'faster' })

/** @type {Simulation[]} */
export const simulations = [
  gates('alpha, looks and rows', '3 rows at the floor, spread 4 %', REGRESSION, [0, 0.05], () => ({
    rows: repeat(3, () => () => 1.02 * quiet(0.04)())
  })),
  gates('alpha, looks and rows', '6 rows of identical code, spread 4 %', REGRESSION, [0, 0.005], () => ({
    rows: repeat(6, () => quiet(0.04))
  })),
  gates('a single row', 'at the floor, spread 4 %', REGRESSION, [0, 0.05], () => ({
    rows: [() => 1.02 * quiet(0.04)()]
  })),
  gates('a single row', 'at the floor, spread 4 %, 240 pairs at most', REGRESSION, [0, 0.05], () => ({
    rows: [() => 1.02 * quiet(0.04)()],
    pairs: 240
  })),
  gates('a single row', 'identical code, spread 2 %, 240 pairs at most', PASS, [0.95, 1], () => ({
    rows: [quiet(0.02)],
    pairs: 240
  })),
  gates('a single row', 'identical code, spread 4 %', REGRESSION, [0, 0.005], () => ({ rows: [quiet(0.04)] })),
  gates('a single row', 'identical code, spread 2 %', PASS, [0.95, 1], () => ({ rows: [quiet(0.02)] })),
  gates('a single row', 'head 10 % slower, spread 2 %', EARLY_REGRESSION, [0.95, 1], () => ({
    rows: [() => 1.1 * quiet(0.02)()]
  })),
  gates('a single row', 'identical code, spread 0.5 %', EARLY_PASS, [0, 0], () => ({ rows: [quiet(0.005)] })),
  gates('a single row', 'head 10 % faster, and expected to be, spread 2 %', EARLY_PASS, [0, 0], () => ({
    rows: [() => 0.9 * quiet(0.02)()],
    expect: [FASTER]
  })),
  gates('pass', '6 rows of identical code, spread 2 %', PASS, [0.95, 1], () => ({
    rows: repeat(6, () => quiet(0.02))
  })),
  gates('pass', 'head 5 % slower, spread 4 %', PASS, [0, 0.05], () => ({ rows: [() => 1.05 * quiet(0.04)()] })),
  ...[1, 2].flatMap(percent => [
    gates('wild pairs', `10 % of head processes take twice as long, spread ${percent} %`, PASS, [0, 0.4], () => ({
      rows: [sometimes(quiet(percent / 100), 0.1, 2)]
    })),
    gates('wild pairs', `20 % of head processes take 1.5 times as long, spread ${percent} %`, PASS, [0, 0.1], () => ({
      rows: [sometimes(quiet(percent / 100), 0.2, 1.5)]
    }))
  ]),
  gates(
    'wild pairs',
    '20 rows of spread 2 %, 20 % of head processes of one take twice as long',
    PASS,
    [0, 0.2],
    () => ({ rows: [sometimes(quiet(0.02), 0.2, 2), ...repeat(19, () => quiet(0.02))] }),
    0.2
  ),
  gates(
    'wild pairs',
    '20 rows of identical code, 10 % of processes of both sides take 1.3 times as long',
    PASS,
    [0.9, 1],
    () => ({ rows: repeat(20, () => () => sometimes(quiet(0.01), 0.1, 1.3)() / sometimes(() => 1, 0.1, 1.3)()) }),
    0.2
  ),
  ...['', ', and expected to be'].map(expected =>
    gates('wild pairs', `head 10 % faster${expected}, 4 % of its processes 5 %`, PASS, [0.99, 1], () => ({
      pairs: 100,
      rows: [() => 0.898 * sometimes(quiet(0.01), 0.04, 1.06)()],
      expect: [expected ? FASTER : undefined]
    }))
  ),
  ...[2, 5].map(percent =>
    gates('expect faster', `head 2 % faster, just at the floor, spread ${percent} %`, PASS, [0, 0.05], () => ({
      rows: [() => 0.98 * quiet(percent / 100)()],
      expect: [FASTER]
    }))
  ),
  gates('expect faster', '6 rows of identical code, spread 4 %', ANY_FASTER, [0, 0.005], () => ({
    rows: repeat(6, () => quiet(0.04)),
    expect: repeat(6, () => FASTER)
  })),
  gates('expect faster', 'head 10 % faster, 10 % of its processes take twice as long', PASS, [0, 0.45], () => ({
    rows: [() => 0.9 * sometimes(quiet(0.02), 0.1, 2)()],
    expect: [FASTER]
  })),
  gates('wild pairs', 'identical code, 10 % of processes of both sides take twice as long', PASS, [0.8, 1], () => ({
    rows: [() => sometimes(quiet(0.02), 0.1, 2)() / sometimes(() => 1, 0.1, 2)()]
  })),
  gates('power', 'one of 2 rows of 13 pairs 10 % slower, spread 1.4 %', REGRESSION, [0.99, 1], () => ({
    pairs: 13,
    rows: [() => 1.1 * quiet(0.014)(), quiet(0.014)]
  })),
  gates('dependence', '6 rows of identical code, lag-1 correlation 0.15', REGRESSION, [0, 0.005], () => ({
    rows: repeat(6, () => drifting(0.04, 0.15))
  })),
  gates('dependence', '3 rows at the floor, lag-1 correlation 0.15', REGRESSION, [0, 0.09], () => ({
    rows: repeat(3, () => drifting(0.04, 0.15, 1.02))
  })),
  gates('lost samples', 'head loses 60 % of its samples, and is level otherwise', PASS, [0, 0], () => ({
    rows: [() => (chance() < 0.6 ? Infinity : quiet(0.01)())]
  })),
  gates('lost samples', 'identical code, either side loses 5 %, spread 4 %', REGRESSION, [0, 0.01], () => ({
    rows: [() => (chance() < 0.05 ? Infinity : chance() < 0.05 ? 0 : quiet(0.04)())]
  })),
  gates('guards', 'identical code, p99 that spreads by 60 %', PASS, [0.95, 1], () => ({
    rows: [quiet(0.02), quiet(0.6)],
    metrics: ['cpuMicrosPerRequest', 'latencyP99Ms']
  })),
  gates('guards', 'CPU level, p99 three times as long, spread 40 %', REGRESSION, [0.95, 1], () => ({
    rows: [quiet(0.03), () => 3 * quiet(0.4)()],
    metrics: ['cpuMicrosPerRequest', 'latencyP99Ms']
  })),
  ...Object.entries(LOG_RATIOS).flatMap(([data, next]) =>
    [1, 5].map(ratios => ({
      rule: 'until 3 %',
      data: `12 heats at most, ${formatCount(ratios, 'ratio')}, ${data}`,
      counted: 'intervals that contain the ratio',
      // Five heats of two clusters are often all of one.
      least: data.startsWith('two peaks') ? 0.86 : 0.9,
      most: 1,
      run: (/** @type {number} */ count) => {
        const tables = repeat(Math.ceil(count / ratios), () => untilKnown(ratios, next)).flat()
        return tables.filter(holdsRatio).length / tables.length
      }
    }))
  ),
  ...Object.entries({ ...LOG_RATIOS, 'spread 30 %': () => 0.3 * noise() }).map(([data, next]) => ({
    rule: 'claims',
    data: `a ratio on its limit, looks at ${LOOKS.join(', ')} pairs, ${data}`,
    counted: 'conditions that are decided',
    least: 0,
    // The first pairs of two clusters are often all of one.
    most: data.startsWith('two peaks') ? 0.15 : 0.05,
    run: (/** @type {number} */ count) => shareOf(count, () => decideClaim(() => Math.exp(next())) !== null)
  })),
  ...[
    [1.1, 2, 5],
    [1.1, 10, 40],
    [2, 10, 5],
    [2, 30, 12],
    [10, 30, 5]
  ].map(([factor, percent, pairs]) => ({
    rule: 'claims',
    data: `a ratio of ${factor} times its limit, spread ${percent} %`,
    counted: `conditions that hold after ${pairs} pairs`,
    least: 0.95,
    most: 1,
    run: (/** @type {number} */ count) =>
      shareOf(count, () => decideClaim(() => factor * quiet(percent / 100)(), pairs) === true)
  }))
]
