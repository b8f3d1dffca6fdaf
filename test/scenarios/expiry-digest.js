/** A short form of what expired when. */
import { mix } from '../../scenarios/virtual-service.js'

/** Ticks of ratas in ten seconds. */
const SPAN_TICKS = 500_000

/**
 * A digest of expiries: ticks and timers. The order of timers within a tick does not matter.
 *
 * @param {Iterable<{tick: number, timer: number}>} expiries  In order of time.
 * @returns {[count: number, checksum: number][]} for each ten seconds
 */
export function digestOf (expiries) {
  /** @type {[count: number, checksum: number][]} */
  const spans = []
  for (const { tick, timer } of expiries) {
    const span = Math.floor(tick / SPAN_TICKS)
    while (spans.length <= span) spans.push([0, 0])
    spans[span][0]++
    spans[span][1] = (spans[span][1] + mix(timer, tick)) >>> 0
  }
  return spans
}
