/**
 * Calls that change what later calls meet, for example a list that each call makes longer: their time grows from turn
 * to turn of a heat, so every ratio depends on the number of calls. Of workloads without a queue: timerq's own repeat
 * themselves, and 14 of 715 cells of the example would be warned of. Pure.
 */
import { median } from 'simple-statistics'
import { FEWEST_HEATS } from '../model/heats.js'
import { formatNumber } from '../model/numbers.js'
/** @import { Warning } from '../model/warnings.js' */
/** @import { Sample } from '../store/results.js' */

/** Growth within a heat, from its first third of turns to the last. A machine that becomes slower changes less. */
const GROWTH = 1.15
/** Share of the heats that show at least some growth. */
const MOST = 0.8
const SOME = 1.05
const FEWEST_TURNS = 4

/**
 * @param {Pick<Sample, 'slices'>[]} samples  Heats of one cell.
 * @returns {Warning[]} one at most
 */
export function warnOfGrowth (samples) {
  const ends = samples.flatMap(({ slices }) => endsOf(slices?.nsPerOp ?? []))
  const growths = ends.map(({ first, last }) => last / first)
  const growing = growths.filter(growth => growth > SOME)
  if (ends.length < FEWEST_HEATS || growing.length < MOST * ends.length || median(growths) < GROWTH) return []
  const [first, last] = [median(ends.map(({ first }) => first)), median(ends.map(({ last }) => last))]
  return [
    {
      kind: 'growing',
      text:
        `${formatNumber(first)} ns per operation in the first turns of a heat, ${formatNumber(last)} in the last: ` +
        'calls may change what later calls meet, and then every ratio depends on their number'
    }
  ]
}

/** @param {(number | null)[]} slices  Times of the turns. */
function endsOf (slices) {
  const turns = slices.filter(time => time !== null)
  const third = Math.floor(turns.length / 3)
  if (turns.length < FEWEST_TURNS) return []
  return [{ first: median(turns.slice(0, third)), last: median(turns.slice(-third)) }]
}
