/**
 * Reads samples.jsonl, line by line: a long run has a million of them. What they have in common is kept once, and each is
 * checked against its schema and against the plan, so that a damaged line is never taken for a measurement.
 */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { checkWith, parseJson } from './json.js'
import { readLines } from './input.js'
import { UsageError } from '../model/errors.js'

/**
 * @typedef {import('./results.js').Sample} Sample
 * @typedef {import('../model/cell.js').Cell} Cell
 */

const checkSample = checkWith('sample')
/** @type {string[]} */
const NO_WARNINGS = []

/**
 * @param {string} directory
 * @param {Cell[]} cells  Of the plan.
 * @returns {{samples: Sample[], warnings: string[]}}
 * @throws {UsageError} when a line is damaged, or of no cell of the plan
 */
export function readSamples (directory, cells) {
  const file = path.join(directory, 'samples.jsonl')
  if (!existsSync(file)) return { samples: [], warnings: ['no samples'] }
  const reader = new SampleReader(cells)
  let isTruncated = false
  readLines(file, { file: 'samples', line: 'sample' }, (line, number, isWhole) => {
    if (isWhole) reader.add(line, `${file}:${number}`)
    else isTruncated = true
  })
  const { samples, cutOff, repeated } = reader.finish()
  return {
    samples,
    warnings: [
      ...(cutOff > 0 ? ['a heat was cut off and skipped: the run was killed while writing it'] : []),
      ...(isTruncated ? ['the last sample is truncated and was skipped: the run was killed while writing it'] : []),
      ...(repeated > 0 ? [`${repeated} ${repeated === 1 ? 'sample was' : 'samples were'} skipped because they are there twice: two processes wrote to this directory`] : [])
    ]
  }
}

class SampleReader {
  /** @type {Sample[]} */
  #samples = []
  /** @type {Map<string, {cell: Cell, params: string, taken: Set<string>}>} */
  #cells
  /** How many samples of each heat are there. @type {Map<string, {id: string, count: number}>} */
  #heats = new Map()
  #started = ''
  #repeated = 0

  /** @param {Cell[]} cells */
  constructor (cells) {
    this.#cells = new Map(cells.map(cell => [cell.id, { cell, params: JSON.stringify(cell.params), taken: new Set() }]))
  }

  /**
   * @param {string} line
   * @param {string} where
   */
  add (line, where) {
    const sample = /** @type {Sample} */ (checkSample(parseJson(line, where), where))
    const known = this.#cells.get(sample.cell)
    if (!known) throw new UsageError(`${where}: /cell is none of the plan in run.json, got ${JSON.stringify(sample.cell)}`)
    const { cell, params, taken } = known
    const strange = /** @type {const} */ (['scenario', 'queue', 'runtime']).find(part => sample[part] !== cell[part]) ??
      (JSON.stringify(sample.params) === params ? undefined : 'params')
    if (strange) throw new UsageError(`${where}: /${strange} is not that of its cell in run.json`)
    const heat = sample.heat === undefined ? undefined : this.#heatOf(sample.heat)
    if (sample.channel !== 'profile') {
      // Several tools profile a cell in one round; anything else is measured once.
      const key = heat?.id ?? `${sample.channel} ${sample.round}`
      if (taken.has(key)) {
        this.#repeated++
        return
      }
      taken.add(key)
    }
    // The plan's own strings and objects: a million copies of them would not fit into memory.
    const { id, ...place } = cell
    Object.assign(sample, { cell: id, ...place })
    // Samples of one heat begin at the same time.
    if (sample.started === this.#started) sample.started = this.#started
    this.#started = sample.started
    if (sample.warnings.length === 0) sample.warnings = NO_WARNINGS
    if (heat) {
      heat.count++
      sample.heat = heat.id
    }
    this.#samples.push(sample)
  }

  /** @returns {{samples: Sample[], cutOff: number, repeated: number}} without the samples of heats that were cut off */
  finish () {
    const isWhole = (/** @type {Sample} */ { heat, heatSize }) => heat === undefined || this.#heats.get(heat)?.count === heatSize
    const samples = this.#samples.every(isWhole) ? this.#samples : this.#samples.filter(isWhole)
    return { samples, cutOff: this.#samples.length - samples.length, repeated: this.#repeated }
  }

  /** @param {string} id */
  #heatOf (id) {
    const heat = this.#heats.get(id) ?? { id, count: 0 }
    this.#heats.set(id, heat)
    return heat
  }
}
