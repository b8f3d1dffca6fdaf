/** D: on the size of the young generation, Node 8, whose default was 16 MB. */
import { allHold, isAbove, lowest, overWindows, round, show, showRatio } from '../figures.js'

/** @type {import('../judge.js').CellsOf} */
const semiSpaces = { scenario: 'garbage', queues: ['node'], params: { quick: {}, documented: {} }, nodeFlags: '--max-semi-space-size=16,64,128,256', repeat: 2 }
const SIZES = [16, 64, 128, 256]

/** A gain below this is none. */
const NO_GAIN = 1.05

/** @type {import('../judge.js').Claim[]} */
export const semiSpace = [
  {
    id: 'D1',
    claim: 'Scavenges fall about in proportion to the size of the semi-space',
    documented: '16 -> 64 MB: about 1000 -> 294 in 3 minutes',
    cells: [semiSpaces],
    judge (figureOf) {
      const [small, large] = ['=16', '=64'].map(runtime => figureOf('garbage', 'node', 'scavengesPerThousandRequests', { runtime }))
      return {
        measured: `${round(small.median)} -> ${round(large.median)} scavenges in a thousand requests, ${showRatio(small, large)}`,
        holds: allHold([isAbove(small, large, 2), isAbove(large, small, 1 / 8)])
      }
    }
  },
  {
    id: 'D2',
    claim: 'A larger semi-space costs less CPU, and beyond some size there is no further gain',
    documented: '128 MB: 145, twice as long each; 256 MB: 72, 150 ms each',
    cells: [semiSpaces],
    judge (figureOf) {
      const costs = SIZES.map(size => overWindows(figureOf('garbage', 'node', 'cpuMicrosPerRequest', { runtime: `=${size}` })))
      const best = lowest(costs)
      const isAsGood = (/** @type {import('../figures.js').Figure} */ cost, /** @type {import('../figures.js').Figure} */ than) => isAbove(than, cost, 1 / NO_GAIN)
      const recommended = SIZES[costs.findIndex(cost => isAsGood(cost, best) === true)]
      return {
        measured: SIZES.map((size, index) => `${size} MB ${show(costs[index], 'µs')}${index === 0 ? '' : ` ${showRatio(costs[index], costs[0])}`}`).join(', ') +
          (recommended === undefined ? '' : `; recommended ${recommended} MB`),
        holds: allHold([isAbove(costs[0], lowest(costs.slice(1))), isAsGood(costs[2], costs[3])])
      }
    }
  }
]
