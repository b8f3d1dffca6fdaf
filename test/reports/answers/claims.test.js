/** No sentence of an answer says more than its interval: properties over made summaries, with rules of their own. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { DEFAULT_RULES, judge } from '../../../harness/judge/decision.js'
import { weigh } from '../../../harness/judge/worth.js'
import { describeRatio } from '../../../reports/answers/answer.js'
import { describeWhole } from '../../../reports/answers/comparison.js'
import { recommendationAnswer } from '../../../reports/answers/recommendation.js'
import { runAnswer } from '../../../reports/answers/run.js'
import { worthAnswer } from '../../../reports/answers/worth.js'
import { drawnRow } from '../../harness/judge/rows-of.js'
import { summaryOf } from '../../harness/judge/summary-of-heats.js'

/** @typedef {{low: number, median: number, high: number}} Ends */

const QUEUES = ['wheel', 'heap', 'lazy']
/** Figures of a text have three digits, percentages one decimal. */
const ROUNDING = 1.006
const LEVEL = 1.05
/** How far queues are behind the fastest. */
const PLACE =
  /(?:Take |\b)([\w, ]+?)(?: \(.*?\))?: (?:a tie, )?((?:the fastest everywhere|within 5 % of|at worst [\d.]+)[^.]*)/g

/** Narrow and wide intervals, near 1 and far from it. */
const interval = fc
  .record({
    middle: fc.oneof(fc.double({ min: -0.06, max: 0.06, noNaN: true }), fc.double({ min: -3, max: 3, noNaN: true })),
    below: fc.oneof(fc.double({ min: 0, max: 0.04, noNaN: true }), fc.double({ min: 0, max: 3, noNaN: true })),
    above: fc.oneof(fc.double({ min: 0, max: 0.04, noNaN: true }), fc.double({ min: 0, max: 3, noNaN: true }))
  })
  .map(({ middle, below, above }) => ({
    low: Math.exp(middle - below),
    median: Math.exp(middle),
    high: Math.exp(middle + above)
  }))

/** @type {(text: string, pattern: RegExp) => string[][]} */
const claims = (text, pattern) => [...text.matchAll(pattern)].map(([, ...parts]) => parts)

/**
 * @param {boolean} isCarried
 * @param {string} text
 */
const carried = (isCarried, text) => assert.ok(isCarried, text)

test('an answer of a run claims no more than the intervals of its tables', () => {
  const table = fc.record(Object.fromEntries(QUEUES.map(name => [name, interval])))
  const runs = fc.record({
    micro: fc.array(table, { minLength: 1, maxLength: 3 }),
    server: fc.option(table),
    n: fc.constantFrom(1, 2, 8)
  })
  fc.assert(
    fc.property(runs, ({ micro, server, n }) => {
      const own = (/** @type {Record<string, Ends>} */ ratios) =>
        Object.fromEntries(
          Object.entries(ratios).map(([name, { low, median, high }]) => [
            name,
            /** @type {[number, number, number]} */ (n === 1 ? [median, median, median] : [low, median, high])
          ])
        )
      const summary = summaryOf(
        {
          ...Object.fromEntries(micro.map((ratios, i) => [`refresh ${10 ** (i + 1)}`, own(ratios)])),
          ...(server && { 'keep-alive': own(server) })
        },
        { n, coverage: n === 1 ? 0 : 0.95, queues: { heap: { origin: 'user' } } }
      )
      const { text, reasons } = runAnswer(summary)
      const all = [text, ...reasons].join(' ')
      const tables = micro.map(ratios => ({ ...ratios, lists: { low: 1, median: 1, high: 1 } }))
      const names = ['lists', ...QUEUES]
      const others = (/** @type {string} */ name) => names.filter(other => other !== name)
      const most = (/** @type {string} */ name, /** @type {any} */ table) =>
        n === 1 ? Infinity : Math.max(...others(name).map(other => table[name].high / table[other].low))
      const furthest = (/** @type {string} */ name) => Math.max(1, ...tables.map(table => most(name, table)))

      for (const [from] of claims(all, /times as (?:fast|slow)(?: as \w+)? \(([\d.]+)/g)) carried(Number(from) >= 1, all)
      for (const [place] of claims(all, /level with \w+ \(([^)]*) times as fast/g)) {
        const [low, high] = place.split(' to ').map(Number)
        carried(low * ROUNDING >= 1 / LEVEL && high <= LEVEL * ROUNDING, all)
      }
      for (const [named, place] of claims(all, PLACE)) {
        const limit = /worst/.test(place) ? Number(/[\d.]+/.exec(place)) * ROUNDING : /within/.test(place) ? LEVEL : 1
        for (const name of named.split(/, | or /)) if (names.includes(name)) carried(furthest(name) <= limit, all)
      }
      for (const [named] of claims(text, /Take ([\w, ]+): the fastest on/g)) {
        const [ratios] = tables
        for (const name of names.filter(name => !text.includes(name) && name !== named)) {
          carried(n > 1 && others(name).some(other => ratios[name].low > ratios[other].high), text)
        }
      }
      for (const [named] of claims(text, /([\w, ]+) (?:is|are) level within/g)) {
        const [ratios] = tables
        const [first] = names.toSorted((a, b) => ratios[a].median - ratios[b].median)
        for (const name of named === 'All queues' ? names : named.trim().split(/, | and /)) {
          carried(name === first || ratios[name].high / ratios[first].low <= LEVEL, text)
        }
      }
      for (const [many] of claims(all, /slower in (\d+) tables/g)) {
        carried(names.some(name => tables.filter(ratios => ratios[name].low > 1).length >= Number(many)), all)
      }
      for (const [words] of claims(all, /keep-alive[^:]*: (.*? CPU|level|one heat)/g)) {
        const ratios = Object.values(server ?? {})
        if (/less to/.test(words)) carried(ratios.some(({ low, high }) => low <= 1 && high >= 1), all)
        else if (/less/.test(words)) carried(ratios.some(({ high }) => high < 1), all)
        else if (/more/.test(words)) carried(ratios.some(({ low }) => low > 1), all)
        else if (/level/.test(words)) carried(ratios.some(({ low, high }) => low * LEVEL >= 1 && high <= LEVEL), all)
      }
    }),
    { numRuns: 600, includeErrorInReport: true }
  )
})

test('no queue that an answer takes is shown as slower in its table, or was measured in one heat', () => {
  const heats = fc.record({ interval, n: fc.constantFrom(1, 8) })
  const table = fc.record(Object.fromEntries(QUEUES.map(name => [name, heats])))
  fc.assert(
    fc.property(table, measured => {
      const ratios = Object.entries(measured).map(([name, { n, interval: { low, median, high } }]) =>
        [name, n === 1 ? [median, median, median, 1] : [low, median, high, n]])
      const { text } = runAnswer(summaryOf(/** @type {any} */ ({ 'refresh 100': Object.fromEntries(ratios) })))
      for (const [named] of claims(text, /Take ([\w, ]+): the fastest on/g)) {
        for (const name of named.split(/, | or /).filter(name => name !== 'lists')) {
          const isSlower = Object.values(measured).some(
            ({ n, interval: { high } }) => n > 1 && high < measured[name].interval.low
          )
          carried(measured[name].n > 1 && !isSlower && measured[name].interval.low <= 1, text)
        }
      }
    }),
    { numRuns: 600, includeErrorInReport: true }
  )
})

/** @type {(ratios: Ends[], n: number) => any} */
const ratiosOf = (ratios, n) =>
  ratios.map((ratio, i) => ({ queue: QUEUES[i], ratio: { ...ratio, to: 'node', by: 'heat', n, coverage: 0.95 } }))
const savings = fc.record({ ratios: fc.array(interval, { minLength: 1, maxLength: 3 }), n: fc.constantFrom(1, 2, 8) })

test('an answer of try claims no more than the intervals of its savings', () => {
  fc.assert(
    fc.property(savings, fc.boolean(), ({ ratios, n }, isCheck) => {
      const worthwhile = 0.03
      const weighed = weigh(ratiosOf(ratios, n), { cost: 1, worthwhile })
      const { low, high } = weighed.best
      const { text, reasons } = worthAnswer(
        /** @type {any} */ ({
          worth: {
            ...weighed,
            isLevel: low <= 0 && high >= 0,
            control: 'node',
            metric: 'cpuMicrosPerRequest',
            worthwhile,
            usesTimers: true
          },
          run: 'results/try',
          of: {},
          queues: [{ name: 'wheel', origin: isCheck ? 'built-in' : 'own' }],
          cells: []
        }),
        []
      )
      for (const { queue, low, high } of weighed.savings) {
        for (const [span] of claims([text, ...reasons].join(' '), new RegExp(`${queue} (?:takes|is level) ([^.]* CPU)`, 'g'))) {
          const [isLess, isMore] = ['less', 'more'].map(word => span.includes(word))
          carried(isLess && isMore ? low <= 0 && high >= 0 : isLess ? low > 0 : high < 0, text)
          if (/level/.test(span)) carried(-worthwhile < low && high < worthwhile, text)
        }
      }
      if (/^Worth/.test(text)) carried(low >= worthwhile && n > 2, text)
      if (/^Not worth/.test(text)) carried(n > 2 && weighed.savings.every(({ high }) => high < worthwhile), text)
      if (/level with itself/.test(text)) carried(n > 1 && -worthwhile < low && high < worthwhile, text)
      if (/than itself\. One/.test(text)) carried(n > 1 && (low > 0 || high < 0), text)
    }),
    { numRuns: 600, includeErrorInReport: true }
  )
})

test('an answer of recommend claims a saving only of a queue that is shown to be faster', () => {
  fc.assert(
    fc.property(savings, ({ ratios, n }) => {
      const worthwhileShare = 0.01
      const weighed = weigh(ratiosOf(ratios, n), { cost: 0.05, worthwhile: worthwhileShare })
      const verdict = { worth: 'change', unclear: 'unclear', 'not-worth': 'keep' }[weighed.verdict]
      const ranking = weighed.savings.map(({ queue, saves }) => {
        const { low, high, ...ratio } = ratios[QUEUES.indexOf(queue)]
        const change = n > 2 && high < 1 ? 'faster' : n > 2 && low > 1 ? 'slower' : 'unclear'
        return { queue, saves, ratio: { ...ratio, low, high }, change, coreShare: 0.05 - saves }
      })
      const control = { queue: 'lists', nsPerOp: { median: 50 }, ratio: null, change: null, coreShare: 0.05, saves: 0 }
      const { text, reasons } = recommendationAnswer(
        /** @type {any} */ ({
          verdict,
          control: 'lists',
          best: verdict === 'keep' ? null : weighed.best.queue,
          ranking: [...ranking, control],
          worthwhileShare,
          trace: { perBusiestSecond: 1e6 }
        })
      )
      const said = [text, ...reasons].join(' ')
      for (const [queue, word] of claims(said, /, (\w+): [\d.<]+ % (faster|slower)/g)) {
        const { low, high } = ratios[QUEUES.indexOf(queue)]
        carried(word === 'faster' ? high < 1 : low > 1, said)
      }
      for (const [queue] of claims(said, /(\w+) would save about/g)) carried(ratios[QUEUES.indexOf(queue)].high < 1, said)
      if (/^Not worth/.test(text)) carried(weighed.savings.every(({ high }) => high < worthwhileShare), said)
      if (/no queue is faster/.test(text)) carried(ratios.every(({ low }) => low >= 1), said)
    }),
    { numRuns: 600, includeErrorInReport: true }
  )
})

test('an answer of a gate or a comparison claims no more than the intervals of its rows', () => {
  const expects = [undefined, { change: 'faster' }, { change: 'faster', floor: 0.05 }, { change: 'level' }]
  const rows = fc.array(
    fc.record({
      slowdown: fc.constantFrom(0.3, 0.9, 0.97, 0.995, 1, 1.01, 1.03, 1.06, 1.2, 5),
      spread: fc.constantFrom(0.001, 0.01, 0.05, 0.3),
      pairs: fc.integer({ min: 1, max: 30 }),
      seed: fc.nat(),
      metric: fc.constantFrom('nsPerOp', 'requestsPerSecond'),
      expect: fc.constantFrom(...expects)
    }),
    { minLength: 1, maxLength: 3 }
  )
  fc.assert(
    fc.property(rows, drawn => {
      const made = drawn.map(({ expect, ...options }, i) => ({
        ...drawnRow(options),
        queue: QUEUES[i],
        ...(expect && options.metric === 'nsPerOp' && { wanted: expect })
      }))
      const judged = judge(/** @type {any} */ (made), [], DEFAULT_RULES)
      for (const row of judged) {
        const said = describeWhole(
          /** @type {any} */ ({ ...row, comparisons: [row], unmatched: [], control: null, rules: DEFAULT_RULES })
        )
        const [best, worst] = row.better === 'lower' ? [row.low, row.high] : [1 / Number(row.high), 1 / Number(row.low)]
        const isWorse = Number(best) > 1
        const isBetter = Number(worst) < 1
        if (/\d % (slower|fewer)|\d times the time/.test(said)) carried(isWorse, said)
        if (/: [\d.]+ % (faster|more)|faster by/.test(said)) carried(isBetter, said)
        if (/not .*faster/.test(said)) carried(Number(best) > 1 - (row.expect?.floor ?? 0.02) - 0.051, said)
        if (/: level/.test(said)) carried(Number(worst) < 1.0501 && Number(best) > 0.9499, said)
        if (/to [\d.<]+ % better$/.test(said)) carried(isBetter, said)
        if (/: [\d.<]+ % to [\d.<]+ % worse/.test(said)) carried(isWorse, said)
        if (/no regression/.test(said)) carried(Number(worst) < 1 + 0.05 * 8, said)
        if (/no difference/.test(said)) assert.match(said, /no difference shown/)
      }
    }),
    { numRuns: 300, includeErrorInReport: true }
  )
})

test('a ratio of one heat is told with its size, and as no more than that', () => {
  const once = { median: 1 / 860, low: 1 / 860, high: 1 / 860, n: 1, coverage: 0 }
  assert.equal(describeRatio(once, 'lists'), '860 times as fast as lists in one heat')
})
