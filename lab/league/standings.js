/** Standings of a stream: every competitor's ratio to the control, as measured and net of the drivers. */
import { median } from 'simple-statistics'
import { ratioInterval } from '../../harness/judge/statistics/interval.js'

/**
 * @typedef {import('./competitors.js').Competitor} Competitor
 *
 * @typedef {import('./heat.js').Outcome} Outcome
 *
 * @typedef {object} Ratio
 * @property {number} median  Typical ratio of a heat.
 * @property {number} low
 * @property {number} high
 * @property {number} n  Heats.
 *
 * @typedef {object} Standing
 * @property {string} name
 * @property {number} nsPerOp  Median over heats.
 * @property {Ratio | null} ratio
 * @property {Ratio | null} net  null for drivers, and where no heat has a net time above zero.
 */

/**
 * @param {Outcome[][]} heats  Heats of one stream.
 * @param {Competitor[]} competitors  The control is the first.
 * @returns {{standings: Standing[], failed: {name: string, error: string}[]}} `failed`: competitors that failed in a
 *   heat, and so have no figures
 */
export function standingsOf (heats, competitors) {
  const failed = new Map(heats.flat().flatMap(({ name, error }) => (error === undefined ? [] : [[name, error]])))
  const [control] = competitors
  const standings = competitors
    .filter(({ name }) => !failed.has(name))
    .flatMap(({ name, driver }) => {
      const slices = heats.map(heat => {
        const of = (/** @type {string} */ wanted) =>
          failed.has(wanted) ? [] : (heat.find(outcome => outcome.name === wanted)?.nsPerOp ?? [])
        return { own: of(name), control: of(control.name), driver: of(driver), controlDriver: of(control.driver) }
      })
      const times = slices.map(({ own }) => medianOf(own)).filter(ns => ns !== null)
      if (times.length === 0) return []
      return [
        {
          name,
          nsPerOp: median(times),
          ratio: overHeats(slices.map(({ own, control }) => medianOf(quotients(own, control)))),
          net:
            name === driver
              ? null
              : overHeats(
                slices.map(of =>
                  medianOf(quotients(differences(of.own, of.driver), differences(of.control, of.controlDriver)))
                )
              )
        }
      ]
    })
  return { standings, failed: [...failed].map(([name, error]) => ({ name, error })) }
}

/**
 * The heat is the observation: its ratio is the median over its slices, and the interval is over heats.
 *
 * @param {(number | null)[]} ratios  One a heat.
 * @returns {Ratio | null}
 */
function overHeats (ratios) {
  const measured = ratios.flatMap(ratio => (ratio !== null && ratio > 0 ? [ratio] : []))
  if (measured.length === 0) return null
  const { median, low, high, n } = ratioInterval(measured)
  return { median, low, high, n }
}

/**
 * Slice by slice, null where either is missing.
 *
 * @param {(a: number, b: number) => number} combine
 * @returns {(a: (number | null)[], b: (number | null)[]) => (number | null)[]}
 */
const bySlice = combine => (a, b) =>
  a.map((value, slice) => {
    const other = b[slice] ?? null
    return value === null || other === null ? null : combine(value, other)
  })
const quotients = bySlice((a, b) => a / b)
const differences = bySlice((a, b) => a - b)

/** @param {(number | null)[]} values */
function medianOf (values) {
  const known = values.filter(value => value !== null)
  return known.length === 0 ? null : median(known)
}

/**
 * Mean over the streams in which a competitor has a figure.
 *
 * @param {number[]} ratios
 */
export const geometricMean = ratios => Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length)
