/**
 * The stars of Node's own compare.js next to the verdicts of a gate on the same rows, as a table in markdown.
 *
 *     timerq gate --runtime ./node-main,./node-pr --scenario './benchmark/timers/*.js' --out results/gate
 *     node benchmark/compare.js --old ./node-main --new ./node-pr timers > timers.csv
 *     node lab/node-stars.js results/gate timers.csv ...
 *
 * The test is that of compare.js and compare.R: B. L. Welch's of two means of unequal variance (Biometrika 34, 1947),
 * for each row by itself, of runs old before new that are not paired.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { mean, sampleVariance } from 'simple-statistics'
import { tQuantile } from '../harness/judge/statistics/interval.js'
import { formatPercent, formatRatioInterval } from '../harness/model/numbers.js'

/** @import { Comparison } from '../harness/judge/verdict.js' */

/** @typedef {{old: number[], new: number[]}} Rates  Operations a second of each run. */

const STARS = /** @type {const} */ ([
  ['***', 0.001],
  ['**', 0.01],
  ['*', 0.05]
])

/**
 * @param {Rates} rates  Two runs of each binary, or more.
 * @returns {{improvement: number, stars: string}} `improvement` as a fraction of the old rate
 */
export function welch ({ old, new: now }) {
  const difference = mean(now) - mean(old)
  const [before, after] = [old, now].map(rates => sampleVariance(rates) / rates.length)
  const freedom = (before + after) ** 2 / (before ** 2 / (old.length - 1) + after ** 2 / (now.length - 1))
  const t = Math.abs(difference) / Math.sqrt(before + after)
  // Whole degrees of freedom: at most one less than Welch's.
  const isStarred = (/** @type {number} */ alpha) => t > tQuantile(1 - alpha / 2, Math.max(1, Math.floor(freedom)))
  return { improvement: difference / mean(old), stars: STARS.find(([, alpha]) => isStarred(alpha))?.[0] ?? '' }
}

/**
 * @param {string} csv  Output of compare.js.
 * @returns {Map<string, Rates>} by file and configuration, without n
 */
export function ratesIn (csv) {
  /** @type {Map<string, Rates>} */
  const rates = new Map()
  for (const line of csv.split('\n')) {
    const [, binary, file, configuration, rate] = /^"(old|new)","(.*?)","(.*)",([\d.e+]+),/.exec(line) ?? []
    if (binary === undefined) continue
    const key = keyOf(file, configuration.replaceAll("'", ''))
    const row = rates.get(key) ?? { old: [], new: [] }
    row[/** @type {'old' | 'new'} */ (binary)].push(Number(rate))
    rates.set(key, row)
  }
  return rates
}

/** @type {(file: string, configuration: string) => string}  Names of tasks have another order of words. */
const keyOf = (file, configuration) => {
  const words = configuration.split(' ').filter(word => word !== 'main' && !word.startsWith('n='))
  return [file, ...words.sort()].join(' ')
}

/** @param {Comparison} row */
const changeIn = ({ verdict, change }) => (verdict === 'inconclusive' ? 'unclear' : change)

/**
 * @param {Comparison[]} comparisons  Rows of a gate.
 * @param {Map<string, string>} files  File of each scenario, as compare.js names it.
 * @param {Map<string, Rates>} rates
 */
export function withStars (comparisons, files, rates) {
  const rows = comparisons.flatMap(row => {
    const measured = rates.get(keyOf(files.get(row.scenario) ?? '', row.queue))
    return row.metric === 'nsPerOp' && measured ? [{ row, ...welch(measured), runs: measured.old.length }] : []
  })
  const isChanged = (/** @type {Comparison} */ row) => ['slower', 'faster'].includes(changeIn(row))
  const starred = rows.filter(({ stars }) => stars !== '')
  return [
    '| scenario | task | time, head/base | heats | verdict | rate, new to old | stars | runs |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    ...rows.map(({ row, improvement, stars, runs }) =>
      [
        '',
        row.scenario,
        row.queue,
        row.ratio === null ? '' : formatRatioInterval(row),
        row.pairs,
        changeIn(row),
        `${improvement < 0 ? '-' : '+'}${formatPercent(Math.abs(improvement))}`,
        stars.replaceAll('*', '\\*'),
        runs,
        ''
      ]
        .join(' | ')
        .trim()
    ),
    '',
    `${rows.length} rows: timerq ${rows.filter(({ row }) => isChanged(row)).length} changed, compare.js ` +
      `${starred.length} starred, both ${starred.filter(({ row }) => isChanged(row)).length}`
  ].join('\n')
}

if (process.argv[1] === import.meta.filename) {
  const [directory, ...files] = process.argv.slice(2)
  const read = (/** @type {string} */ name) => JSON.parse(readFileSync(path.join(directory, name), 'utf8'))
  const sources = read('run.json').plan.scenarios.map((/** @type {any} */ { name, source }) => [name, source])
  const csv = files.map(file => readFileSync(file, 'utf8')).join('\n')
  console.log(withStars(read('comparison.json').comparisons, new Map(sources), ratesIn(csv)))
}
