/**
 * Compares counts of blocks and bytes with a committed file: in seconds, on any machine with the same V8. A damaged
 * file must not let a regression pass, so a checksum covers all counts, the schema knows every name, and a missing
 * count is invalid.
 */
import { createHash } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { recordOf } from '../judge/compare.js'
import { judgeExact, judgeFailed } from '../judge/verdict.js'
import { placeOfCell } from '../model/cell.js'
import { UsageError } from '../model/errors.js'
import { singleStep } from '../plan/steps.js'
import { execute } from '../run/execute.js'
import { readInput } from '../store/input.js'
import { checkWith, parseJson } from '../store/json.js'
import { writing } from '../store/writing.js'

/**
 * @import { ComparisonRecord } from '../judge/compare.js'
 * @import { Comparison, Rules } from '../judge/verdict.js'
 * @import { CellPlace } from '../model/cell.js'
 * @import { Plan } from '../plan/plan.js'
 *
 * @typedef {Record<string, number | null>} Counts  Counts by metric; null: there is nothing to count.
 *
 * @typedef {{scenario: string, params: Record<string, number>, queue: string, counts: Counts}} BaselineCell
 *
 * @typedef {object} Counted
 * @property {string} v8  Major and minor version.
 * @property {number} seed
 * @property {{queue: string[], scenario: string[], size: string[] | null}} chosen  Words of the command line.
 *
 * @typedef {Counted & {format: 'timerq-baseline/2', sha256: string, cells: BaselineCell[]}} Baseline
 *
 * @typedef {CellPlace & {counts: Record<string, number>, failure: string | undefined}} CountedCell
 */

/** @type {Baseline['format']} */
const FORMAT = 'timerq-baseline/2'
const COUNTS_OF_ALL = ['workPerOp', 'bytesPerTimer']
/** The schema of the file knows these names and no other. */
export const COUNTS = [...COUNTS_OF_ALL, 'longestAdvanceWork']
const REMEDY = 'delete it and count again with --update'

const check = checkWith('baseline')

/**
 * @param {string} file
 * @returns {Baseline | null} null: there is none yet
 * @throws {UsageError} when the file is something else
 */
export function readBaseline (file) {
  if (!existsSync(file)) return null
  const text = readInput(file, 'baseline').toString()
  let valid
  try {
    valid = /** @type {Baseline} */ (check(parseJson(text, file), file))
  } catch (error) {
    throw new UsageError(
      `${/** @type {Error} */ (error).message}: this is not a baseline of format ${FORMAT} (${REMEDY})`
    )
  }
  if (valid.sha256 === checksum(valid)) return valid
  throw new UsageError(
    `${file} does not hold the counts that were written: its sha256 does not match, ` +
      `so it was damaged or edited (${REMEDY})`
  )
}

/**
 * @param {string} file
 * @param {Counted & {cells: CountedCell[]}} counted  Cells that were counted.
 * @throws {UsageError} when the file cannot be written
 */
export function writeBaseline (file, { v8, seed, chosen, cells }) {
  const kept = cells.map(({ scenario, params, queue, counts }) => ({
    scenario,
    params,
    queue,
    counts: countsOf(counts)
  }))
  const sha256 = checksum({ v8, seed, chosen, cells: kept })
  const header = Object.entries({ format: FORMAT, sha256, v8, seed, chosen }).map(
    ([name, value]) => `  "${name}": ${JSON.stringify(value)},\n`
  )
  // One cell a line: a change is one line of a diff.
  const rows = kept.map(cell => `    ${JSON.stringify(cell)}`).join(',\n')
  const text = `{\n${header.join('')}  "cells": [\n${rows}\n  ]\n}\n`
  writing(file, () => writeFileSync(file, text))
}

/** @param {Counted & {cells: BaselineCell[]}} baseline */
const checksum = ({ v8, seed, chosen, cells }) =>
  createHash('sha256')
    .update(JSON.stringify([v8, seed, chosen, cells]))
    .digest('hex')

/**
 * @param {Record<string, number>} counts
 * @returns {Counts}
 */
function countsOf (counts) {
  const counted = COUNTS.filter(metric => Number.isFinite(counts[metric]))
  return Object.fromEntries([
    ...COUNTS_OF_ALL.map(metric => [metric, null]),
    ...counted.map(metric => [metric, counts[metric]])
  ])
}

/** @param {string} version  process.versions.v8 */
export const v8Series = version => version.split('.').slice(0, 2).join('.')

/**
 * @param {Plan} plan
 * @param {AbortSignal} [signal]
 * @returns {Promise<CountedCell[]>} in the order of the plan
 */
export async function countCells (plan, signal) {
  const stopRule = { see () {}, wants: () => true }
  /** @type {Map<string, CountedCell>} */
  const counted = new Map()
  const steps = plan.cells.map(cell => singleStep('count', cell))
  for await (const samples of execute(plan, stopRule, { stages: [steps], signal })) {
    for (const { cell, metrics, failure, ...place } of samples) {
      counted.set(cell, { ...placeOfCell(place), counts: metrics, failure: failure?.message })
    }
  }
  return plan.cells.map(({ id }) => /** @type {CountedCell} */ (counted.get(id)))
}

/**
 * @param {Omit<Counted, 'seed'> & {cells: (BaselineCell | CountedCell)[]}} baseline
 * @param {Omit<Counted, 'seed'> & {cells: CountedCell[]}} counted
 * @param {{file: string, command: string[], rules: Rules}} options
 * @returns {ComparisonRecord}
 */
export function compareWithBaseline (baseline, { v8, chosen, cells }, { file, command, rules }) {
  const key = (/** @type {BaselineCell | CountedCell} */ { scenario, params, queue }) =>
    JSON.stringify([scenario, params, queue])
  const isSameV8 = baseline.v8 === v8
  const known = new Map(isSameV8 ? baseline.cells.map(cell => [key(cell), cell]) : [])
  const now = new Set(cells.map(key))
  const isChosen = isDeepStrictEqual(chosen, baseline.chosen)
  const missing = [...known.values()]
    .filter(cell => !now.has(key(cell)))
    .map(cell => placeOfCell({ ...cell, runtime: cells[0].runtime }))
  const comparisons = [
    ...cells.flatMap(cell => compareCell(cell, known.get(key(cell)))),
    ...(isChosen ? missing.map(cell => judgeUncounted(cell, COUNTS[0], 'in the baseline, not counted now')) : [])
  ]
  const reason = isSameV8
    ? 'not in the baseline (--update adds it)'
    : `the baseline was counted by V8 ${baseline.v8}, this is ${v8} (--update counts it again)`
  const unmatched = [
    ...cells.filter(cell => !known.has(key(cell))).map(cell => ({ ...placeOfCell(cell), reason })),
    ...(isChosen ? [] : missing.map(cell => ({ ...cell, reason: 'in the baseline, not asked for now' })))
  ]
  const isBetter = comparisons.some(({ change }) => change === 'faster')
  return {
    ...recordOf(comparisons, unmatched, rules, command),
    base: file,
    head: 'the working tree',
    warnings: [
      'only counts are compared: times of different machines never are',
      ...(isBetter ? ['some counts are lower than in the baseline: if you expected that, keep them with --update'] : [])
    ]
  }
}

/**
 * @param {CountedCell} cell
 * @param {BaselineCell | CountedCell} [known]
 * @returns {Comparison[]}
 */
function compareCell (cell, known) {
  if (!known) return []
  if (cell.failure !== undefined) return [judgeUncounted(cell, COUNTS[0], cell.failure)]
  const [before, after] = [known.counts, countsOf(cell.counts)]
  const rows = COUNTS.flatMap(metric => {
    const [was, is] = [before[metric] ?? null, after[metric] ?? null]
    if (was !== null && is !== null) return [judgeExact({ ...cell, metric, gates: true }, was, is)]
    if (was === null && is === null) return []
    return [
      judgeUncounted(
        cell,
        metric,
        was === null ? 'not counted in the baseline (--update counts it)' : 'in the baseline, not counted now'
      )
    ]
  })
  return rows.length > 0 ? rows : [judgeUncounted(cell, COUNTS[0], 'there is nothing to count')]
}

/**
 * @param {CellPlace} cell
 * @param {string} metric
 * @param {string} failure
 */
const judgeUncounted = (cell, metric, failure) =>
  judgeFailed({ ...placeOfCell(cell), metric, gates: true, pairs: [], rounds: 0, failure })
