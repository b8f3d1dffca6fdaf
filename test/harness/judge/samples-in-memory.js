import { groupBy } from '../../../harness/model/group-by.js'

/**
 * Samples that are in no results directory, for what reads them from there.
 *
 * @param {any[]} samples
 * @returns {import('../../../harness/store/samples.js').Samples}
 */
export function inMemory (samples) {
  const lines = samples.map((_, i) => i + 1)
  const linesOf = groupBy(lines, line => samples[line - 1].cell)
  const read = (/** @type {number[]} */ wanted) => wanted.map(line => samples[line - 1])
  return {
    length: samples.length,
    lines: () => lines,
    linesOf: cell => linesOf.get(cell) ?? [],
    read,
    byCell: cells => new Map(cells.flatMap(({ id }) => linesOf.has(id) ? [[id, read(linesOf.get(id) ?? [])]] : [])),
    profiles: () => samples.filter(({ kind }) => kind === 'profile'),
    [Symbol.iterator]: () => samples.values()
  }
}
