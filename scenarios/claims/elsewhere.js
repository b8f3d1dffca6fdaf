/** Claims E: measured or proved elsewhere. */
import { CONSTANT, LINEAR, SHOWN, staggeredExpiry } from './staggered-expiry.js'

/** @import { CellSpec, Document } from './claim.js' */

/** A cascade costs the same with few timers as with many, and a heap costs less with few. */
const FEW = 1000

const cancelled = (/** @type {string} */ queue) =>
  [4000, 1_000_000].map(
    size =>
      /** @type {CellSpec} */ ({ scenario: 'start-cancel', queue, params: { size }, label: `${queue} with ${size}` })
  )
const [map, mapOfMany] = cancelled('ordered-map')
const [wheel, wheelOfMany] = cancelled('hierarchical-wheel')

const cascading = [FEW, 10_000].map(size =>
  ['hierarchical-wheel', 'binary-heap'].map(
    queue =>
      /** @type {CellSpec} */ ({
        scenario: 'far-future-cascade',
        queue,
        params: { size },
        label: `${queue} with ${size}`
      })
  )
)

/** @type {CellSpec} */
const millionTimers = { scenario: 'million-timers', queue: 'binary-heap' }

/** @type {Document} */
export function elsewhere ({ preset }) {
  const { cell, growth } = staggeredExpiry(preset)
  const size = preset === 'quick' ? 10_000 : 100_000
  const [list, lists] = ['unordered-list', 'duration-lists'].map(
    queue => /** @type {CellSpec} */ ({ scenario: 'distinct-durations-cancelled', queue, params: { size } })
  )
  return [
    {
      id: 'E1',
      claim: 'A sorted list starts a timer in O(n), a hierarchical wheel in O(1)',
      documented: 'Varghese and Lauck 1987',
      holds: [
        growth('sorted-list', 'workPerOp', { above: LINEAR.above }),
        growth('hierarchical-wheel', 'workPerOp', CONSTANT),
        growth('sorted-list', 'startNsPerTimer', SHOWN),
        growth('hierarchical-wheel', 'startNsPerTimer', SHOWN)
      ]
    },
    {
      id: 'E2',
      claim: 'Lists per duration make distinct durations that expire much cheaper than the unordered list',
      documented: 'unrefTimeout 40-79 % of CPU -> gone (node pull request 4007)',
      holds: [{ metric: 'expireNsPerTimer', of: cell('unordered-list'), to: cell('duration-lists'), above: 2 }]
    },
    {
      id: 'E3',
      claim: 'Lists per duration make distinct durations that are cancelled much slower',
      documented: 'CPU 2.6 -> 19.0 s (node pull request 4007)',
      holds: [{ metric: 'nsPerOp', of: lists, to: list, above: 2 }]
    },
    {
      id: 'E4',
      claim: 'Deep cascades can make a hierarchical wheel lose to a heap',
      documented: 'wahern/timeout, issue 18',
      holds: cascading.map(([wheel, heap], i) => ({
        metric: 'expireNsPerTimer',
        of: wheel,
        to: heap,
        ...(i === 0 && { above: 1 })
      }))
    },
    {
      id: 'E5',
      claim: 'From 4000 to 1 000 000 timers, cancelling slows down more in an ordered map than in a wheel',
      documented: 'map 46 -> 172 ns, wheel 21 -> 22 ns (glommio 44)',
      holds: [{ metric: 'nsPerOp', of: mapOfMany, to: map, against: { of: wheelOfMany, to: wheel }, above: 1 }],
      whyNot:
        'In nanoseconds the map grows far more. In proportion it does not: a million random timers fit no cache, ' +
        'and a few misses multiply the little work of a wheel'
    },
    {
      id: 'E6',
      claim: 'With very many timers in a heap, expiring costs much more than starting',
      documented: 'a million: start 0.85 s, dispatch 9.15 s (libuv)',
      holds: [
        { metric: 'expireNsPerTimer', of: millionTimers, to: millionTimers, toMetric: 'startNsPerTimer', above: 2 }
      ]
    }
  ]
}
