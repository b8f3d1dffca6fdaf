/**
 * The exact channel alone, against a committed file: basic blocks per operation and bytes per timer. Nothing is timed,
 * so it takes seconds and holds on any machine. Another V8 counts other blocks: then the file must be made anew.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import { Ajv } from 'ajv'
import { COUNTED, recordOf } from '../compare.js'
import { UsageError } from '../model/errors.js'
import { createMeasure, lookUp, takeSample } from '../sample.js'
import { judgeExact, judgeFailed } from '../verdict.js'

/**
 * @typedef {import('../verdict.js').RowCell} RowCell
 * @typedef {{scenario: string, params: Record<string, number>, queue: string, counts: Record<string, number>}} BaselineCell
 *
 * @typedef {{queue: string[], scenario: string[], size: string[] | null}} Chosen  As on the command line.
 *
 * @typedef {object} Baseline
 * @property {'timerq-baseline/1'} format
 * @property {string} v8  Major and minor version.
 * @property {number} seed
 * @property {Chosen} chosen
 * @property {BaselineCell[]} cells
 *
 * @typedef {RowCell & {counts: Record<string, number>, failure: string | undefined}} CountedCell
 */

const FORMAT = 'timerq-baseline/1'

const validate = new Ajv().compile(JSON.parse(readFileSync(new URL('../schema/baseline.schema.json', import.meta.url), 'utf8')))

/**
 * @param {string} file
 * @returns {Baseline | null} null when there is none yet
 * @throws {UsageError} when it is something else
 */
export function readBaseline (file) {
  if (!existsSync(file)) return null
  let baseline
  try {
    baseline = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new UsageError(`${file} is no baseline: ${/** @type {Error} */ (error).message}`)
  }
  if (!validate(baseline)) {
    const [{ instancePath, message }] = /** @type {NonNullable<typeof validate.errors>} */ (validate.errors)
    throw new UsageError(`${file} is no baseline of format ${FORMAT}: ${instancePath} ${message} (make one with --update)`)
  }
  return /** @type {Baseline} */ (baseline)
}

/**
 * @param {string} file
 * @param {{v8: string, seed: number, chosen: Chosen, cells: CountedCell[]}} counted
 */
export function writeBaseline (file, { v8, seed, chosen, cells }) {
  const lines = cells.map(({ scenario, params, queue, counts }) => `    ${JSON.stringify({ scenario, params, queue, counts })}`)
  const header = Object.entries({ format: FORMAT, v8, seed, chosen }).map(([name, value]) => `  "${name}": ${JSON.stringify(value)},\n`)
  // One cell a line: a change is one line of a diff.
  writeFileSync(file, `{\n${header.join('')}  "cells": [\n${lines.join(',\n')}\n  ]\n}\n`)
}

/** @param {string} version  process.versions.v8 */
export function v8Series (version) {
  return version.split('.').slice(0, 2).join('.')
}

/**
 * @param {import('../plan.js').Plan} plan
 * @param {{onProgress?: (done: number, total: number) => void, signal?: AbortSignal}} options
 * @returns {Promise<CountedCell[]>}
 */
export async function countCells (plan, { onProgress = () => {}, signal }) {
  const { cells, settings } = plan
  const measure = createMeasure(settings, signal)
  /** @type {CountedCell[]} */
  const counted = new Array(cells.length)
  let done = 0

  const waiting = cells.entries()
  const countNext = async () => {
    for (const [index, cell] of waiting) {
      const { scenario, params, queue, runtime, metrics, failure } =
        await takeSample({ cell, round: 0, channel: 'exact' }, () => measure.count(lookUp(plan, cell)))
      counted[index] = { scenario, params, queue, runtime, counts: metrics, failure: failure?.message }
      onProgress(++done, cells.length)
    }
  }
  await Promise.all(Array.from({ length: os.availableParallelism() }, countNext))
  return counted
}

/**
 * @param {Baseline} baseline
 * @param {{v8: string, cells: CountedCell[]}} counted
 * @param {{file: string, command: string[], rules: import('../verdict.js').Rules}} options
 * @returns {import('../compare.js').ComparisonRecord}
 */
export function compareWithBaseline (baseline, { v8, cells }, { file, command, rules }) {
  const key = (/** @type {BaselineCell | CountedCell} */ { scenario, params, queue }) => JSON.stringify([scenario, params, queue])
  const isSameV8 = baseline.v8 === v8
  const known = new Map(isSameV8 ? baseline.cells.map(cell => [key(cell), cell.counts]) : [])
  const now = new Set(cells.map(key))
  const comparisons = cells.filter(cell => known.has(key(cell))).flatMap(cell => compareCell(cell, known.get(key(cell)) ?? {}))
  const reason = isSameV8 ? 'not in the baseline (--update adds it)' : `the baseline was counted by V8 ${baseline.v8}, this is ${v8} (--update counts it anew)`
  const unmatched = [
    ...cells.filter(cell => !known.has(key(cell))).map(({ scenario, params, queue, runtime }) => ({ scenario, params, queue, runtime, reason })),
    ...(isSameV8 ? baseline.cells.filter(cell => !now.has(key(cell))) : [])
      .map(({ scenario, params, queue }) => ({ scenario, params, queue, runtime: cells[0].runtime, reason: 'in the baseline, not counted now' }))
  ]
  const isBetter = comparisons.some(({ change }) => change === 'faster')
  return {
    ...recordOf(comparisons, unmatched, rules, command),
    base: file,
    head: 'the working tree',
    warnings: [
      'only what is counted is compared: time is never compared across machines',
      ...(isBetter ? ['some counts are lower than in the baseline: if that is meant, keep it with --update'] : [])
    ]
  }
}

/**
 * @param {CountedCell} cell
 * @param {Record<string, number>} before
 * @returns {import('../verdict.js').Comparison[]}
 */
function compareCell ({ counts, failure, scenario, params, queue, runtime }, before) {
  const identity = { scenario, params, queue, runtime, gates: true }
  if (failure !== undefined) return [judgeFailed({ ...identity, metric: COUNTED[0], pairs: [], rounds: 0, failure })]
  return COUNTED.filter(metric => metric in before && metric in counts)
    .map(metric => judgeExact({ ...identity, metric }, before[metric], counts[metric]))
}
