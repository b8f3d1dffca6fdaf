/** Timers with durations of 0, 1, 2 ... ms that all expire: how costs grow, which several documents are about. */
import { exponentOf } from '../figures.js'

/**
 * Each queue in two sizes at the same time: growth is the ratio of the two.
 *
 * @type {import('../judge.js').CellsOf}
 */
export const staggered = {
  scenario: 'staggered-expiry',
  queues: ['unsorted-array', 'binary-heap', 'sorted-list', 'hierarchical-wheel'],
  params: { quick: { size: [1000, 10_000] }, documented: { size: [10_000, 100_000] } }
}

/** @param {import('../judge.js').Preset} preset */
export const largestSize = preset => Math.max(...staggered.params[preset].size)

/**
 * Whether a heap grows by its work or by the misses of a cache, its time does not tell.
 *
 * @type {import('../judge.js').CellsOf}
 */
export const staggeredWork = { ...staggered, queues: ['binary-heap'], counted: true }

/**
 * Queues that are compared in the larger size only.
 *
 * @type {import('../judge.js').CellsOf}
 */
export const staggeredLists = {
  scenario: 'staggered-expiry',
  queues: ['unordered-list', 'duration-lists'],
  params: { quick: { size: [largestSize('quick')] }, documented: { size: [largestSize('documented')] } }
}

/**
 * @param {import('../judge.js').FigureOf} figureOf
 * @param {import('../judge.js').Preset} preset
 * @param {string} queue
 * @param {string} metric
 */
export function growthOf (figureOf, preset, queue, metric) {
  const [small, large] = staggered.params[preset].size
  const [costOfSmall, costOfLarge] = [small, large].map(size => figureOf(staggered.scenario, queue, metric, { size }))
  return exponentOf([small, large], [costOfSmall, costOfLarge])
}

/** Growth in proportion to n, and growth as slow as that of log n, which is n ** 0.12 from 1000 to 10 000. */
export const LINEAR = { from: 0.7, to: 1.3 }
export const LOGARITHMIC = { to: 0.2 }
