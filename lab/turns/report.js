/** The rounds of `npm run turns` as tables for the documentation. */
import { markdownTable } from 'markdown-table'
import { sampleStandardDeviation } from 'simple-statistics'
import { formatChange, formatParam, formatRatioInterval } from '../../harness/model/numbers.js'
import { intervalOf } from '../../harness/judge/statistics/interval.js'
import { SETTLED } from './measure.js'

/**
 * @typedef {import('./measure.js').Round} Round
 *
 * @typedef {import('./measure.js').Lengths} Lengths
 */

/** @param {Lengths} lengths */
const describeLengths = ({ leadMs, turnMs }) => `${turnMs} ms after ${leadMs} ms`

/**
 * @param {string[]} names  Names of the queues, the control first.
 * @param {Lengths[]} choices
 * @param {Round[]} rounds
 * @returns {string} markdown
 */
export function renderTurns (names, choices, rounds) {
  const sizes = [...new Set(rounds.map(({ size }) => size))]
    .sort((a, b) => a - b)
    .map(size => rounds.filter(round => round.size === size))
  return (
    [
      ...choices.map(
        (lengths, choice) => `**${describeLengths(lengths)}**, ratios to ${names[0]}\n\n${table(names, sizes, choice)}`
      ),
      `**What turns shift**, against the same processes once they have had the core for ${SETTLED.leadMs} ms more\n\n` +
        spreadTable(names, choices, sizes)
    ].join('\n\n') + '\n'
  )
}

/**
 * @param {string[]} names
 * @param {Round[][]} sizes
 * @param {number} choice
 */
function table (names, sizes, choice) {
  const header = ['timers', 'queue', 'in heats', 'turns against settled', 'rounds']
  const rows = sizes.flatMap(rounds =>
    names.slice(1).map((name, i) => {
      const index = i + 1
      const shifts = logs(rounds, ({ shift }) => shift[choice][index])
      return [
        formatParam(rounds[0].size),
        name === names[0] ? `${name} again` : name,
        formatRatioInterval(ratioOf(logs(rounds, ({ inTurns }) => inTurns[choice][index]))),
        shifts.length === 0 ? '-' : formatChange(/** @type {any} */ (ratioOf(shifts))),
        String(rounds.length)
      ]
    })
  )
  return markdownTable([header, ...rows], { align: ['r', 'l', 'r', 'r', 'r'] })
}

/**
 * The two queues that each choice of lengths moves furthest apart.
 *
 * @param {string[]} names
 * @param {Lengths[]} choices
 * @param {Round[][]} sizes
 */
function spreadTable (names, choices, sizes) {
  const header = [
    'timers',
    'turns',
    `${names[0]} again, from heat to heat`,
    'largest shift between two queues',
    'the two queues'
  ]
  const again = names.indexOf(names[0], 1)
  const rows = sizes.flatMap(rounds =>
    choices.map((lengths, choice) => {
      const shifts = names
        .flatMap((name, index) => {
          const values = logs(rounds, ({ shift }) => shift[choice][index])
          return values.length === 0 || index === again ? [] : [{ name, shift: intervalOf(values).estimate }]
        })
        .sort((a, b) => a.shift - b.shift)
      const [lowest, highest] = [shifts[0], shifts[shifts.length - 1]]
      return [
        formatParam(rounds[0].size),
        describeLengths(lengths),
        percent(deviation(logs(rounds, ({ inTurns }) => inTurns[choice][again]))),
        percent(Math.expm1(highest.shift - lowest.shift)),
        `${highest.name} against ${lowest.name}`
      ]
    })
  )
  return markdownTable([header, ...rows], { align: ['r', 'l', 'r', 'r', 'l'] })
}

/**
 * @param {Round[]} rounds
 * @param {(round: Round) => number | null} ratioIn
 */
const logs = (rounds, ratioIn) =>
  rounds.flatMap(round => {
    const ratio = ratioIn(round)
    return ratio === null ? [] : [Math.log(ratio)]
  })

/** @param {number[]} values  Logarithms. */
function ratioOf (values) {
  if (values.length === 0) return { ratio: null, low: null, high: null }
  const { estimate, low, high } = intervalOf(values)
  return { ratio: Math.exp(estimate), low: Math.exp(low), high: Math.exp(high) }
}

/** @param {number[]} values */
const deviation = values => (values.length < 2 ? NaN : sampleStandardDeviation(values))

/** @param {number} share */
const percent = share => (Number.isNaN(share) ? '-' : `${(100 * share).toFixed(1)} %`)
