/**
 * The samples of a run stay in samples.jsonl: a long run has a million of them, half a GiB. The file is read through once, line
 * by line, and each line is checked against its schema and against the plan, so that a damaged one is never taken for a
 * measurement. Only where the lines of each cell are stays in memory, 16 bytes a sample. Statistics are about one table of
 * cells at a time: they ask for the samples of its cells, which are then read again.
 */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { checkWith, parseJson } from './json.js'
import { readLines, readParts } from './input.js'
import { UsageError } from '../model/errors.js'

/**
 * @typedef {import('./results.js').Sample} Sample
 * @typedef {import('../model/cell.js').Cell} Cell
 *
 * @typedef {number[] | Uint32Array} Lines
 *
 * @typedef {object} SampleReader
 * @property {number} length
 * @property {() => number[]} lines  Numbers of all lines with samples, from 1, ascending.
 * @property {(cell: string) => Lines} linesOf  Of those of a cell, by its id.
 * @property {(lines: Lines) => Sample[]} read
 * @property {(cells: {id: string}[]) => Map<string, Sample[]>} byCell  Of these cells, for those that have any.
 * @property {() => Sample[]} profiles  What profilers saw: these are few, and are kept.
 *
 * @typedef {SampleReader & Iterable<Sample>} Samples  Of a run, in the order in which they were taken. Iterating, only a few are in
 *   memory.
 */

/** In a results directory. */
export const SAMPLES = 'samples.jsonl'

const checkSample = checkWith('sample')
/** @type {string[]} */
const NO_WARNINGS = []
const NO_LINES = new Uint32Array(0)
/** How many are read at once by whoever wants all. */
const AT_ONCE = 1000
/** Bytes that are read at once. */
const MOST_AT_ONCE = 2 ** 20

/**
 * @param {string} directory
 * @param {Cell[]} cells  Of the plan.
 * @returns {{samples: Samples, warnings: string[]}}
 * @throws {UsageError} when a line is damaged, or of no cell of the plan
 */
export function readSamples (directory, cells) {
  const file = path.join(directory, SAMPLES)
  const samples = new StoredSamples(file, cells)
  return { samples, warnings: existsSync(file) ? samples.readThrough() : ['no samples'] }
}

/** @implements {Samples} */
class StoredSamples {
  #file
  /** @type {Map<string, {cell: Cell, params: string}>} */
  #cells
  /** By cell. What there is a million of is outside of the heap, which would grow by a multiple of it. @type {Map<string, Uint32Array>} */
  #lines = new Map()
  /** The byte at which each line ends and the next one starts. */
  #ends = new Float64Array(1)
  /** Lines that do not count. @type {Set<number>} */
  #skipped = new Set()
  /** @type {number[]} */
  #profiled = []
  /** @type {Sample[] | undefined} */
  #profiles

  /**
   * @param {string} file
   * @param {Cell[]} cells
   */
  constructor (file, cells) {
    this.#file = file
    this.#cells = new Map(cells.map(cell => [cell.id, { cell, params: JSON.stringify(cell.params) }]))
  }

  get length () {
    return this.#ends.length - 1 - this.#skipped.size
  }

  * [Symbol.iterator] () {
    const lines = this.lines()
    for (let i = 0; i < lines.length; i += AT_ONCE) yield * this.read(lines.slice(i, i + AT_ONCE))
  }

  lines () {
    return Array.from({ length: this.#ends.length - 1 }, (_, i) => i + 1).filter(line => !this.#skipped.has(line))
  }

  /** @param {string} cell */
  linesOf (cell) {
    return this.#lines.get(cell) ?? NO_LINES
  }

  profiles () {
    this.#profiles ??= this.read(this.#profiled)
    return this.#profiles
  }

  /**
   * @param {Lines} lines
   * @returns {Sample[]} in the same order
   * @throws {UsageError} when the file is not what it was
   */
  read (lines) {
    // A run that has measured nothing yet has no file.
    if (lines.length === 0) return []
    /** @type {Map<number, Sample>} */
    const found = new Map()
    const parts = neighbours(lines, this.#ends)
    const places = parts.map(({ first, last }) => ({ start: this.#ends[first - 1], end: this.#ends[last] }))
    try {
      readParts(this.#file, places, (bytes, i) => {
        const { first, last } = parts[i]
        for (let line = first; line <= last; line++) {
          const [start, end] = [this.#ends[line - 1], this.#ends[line] - 1].map(place => place - places[i].start)
          found.set(line, this.#parse(bytes.toString('utf8', start, end), line))
        }
      })
    } catch (error) {
      throw new UsageError(`${this.#file} has changed while it was read: try again (${/** @type {Error} */ (error).message})`)
    }
    return Array.from(lines, line => /** @type {Sample} */ (found.get(line)))
  }

  /** @param {{id: string}[]} cells */
  byCell (cells) {
    const measured = cells.map(({ id }) => ({ id, lines: this.linesOf(id) })).filter(({ lines }) => lines.length > 0)
    const found = this.read(measured.flatMap(({ lines }) => [...lines]))
    let end = 0
    return new Map(measured.map(({ id, lines }) => {
      const start = end
      end += lines.length
      return [id, found.slice(start, end)]
    }))
  }

  /**
   * Once, before anything is asked for.
   *
   * @returns {string[]} warnings: what is skipped
   */
  readThrough () {
    const ids = [...this.#cells.keys()]
    const numbers = new Map(ids.map((id, i) => [id, i]))
    const ends = new Numbers([0])
    const cellOf = new Numbers([NaN])
    const events = new Events()
    let isTruncated = false
    readLines(this.#file, { file: 'samples', line: 'sample' }, (text, line, isWhole, end) => {
      if (!isWhole) {
        isTruncated = true
        return
      }
      const sample = this.#parse(text, line)
      cellOf.push(/** @type {number} */ (numbers.get(sample.cell)))
      ends.push(end)
      events.add(sample)
      if (sample.channel === 'profile') this.#profiled.push(line)
    })
    this.#ends = ends.values
    const found = groupLines(cellOf.values, ids.length)
    const repeated = events.findRepeated(found, this.#profiled)
    const cutOff = events.findCutOff(repeated)
    this.#skipped = new Set([...repeated, ...cutOff])
    const isKept = (/** @type {number} */ line) => !this.#skipped.has(line)
    this.#lines = new Map(found.map((lines, i) => [ids[i], lines.filter(isKept)]))
    this.#profiled = this.#profiled.filter(isKept)
    return [
      ...(cutOff.length > 0 ? ['a heat was cut off and skipped: the run was killed while writing it'] : []),
      ...(isTruncated ? ['the last sample is truncated and was skipped: the run was killed while writing it'] : []),
      ...(repeated.size > 0 ? [`${repeated.size} ${repeated.size === 1 ? 'sample was' : 'samples were'} skipped because they are there twice: two processes wrote to this directory`] : [])
    ]
  }

  /**
   * @param {string} text
   * @param {number} line
   */
  #parse (text, line) {
    const where = `${this.#file}:${line}`
    const sample = /** @type {Sample} */ (checkSample(parseJson(text, where), where))
    const known = this.#cells.get(sample.cell)
    if (!known) throw new UsageError(`${where}: /cell is none of the plan in run.json, got ${JSON.stringify(sample.cell)}`)
    const { cell, params } = known
    const strange = /** @type {const} */ (['scenario', 'queue', 'side', 'runtime']).find(part => sample[part] !== cell[part]) ??
      (JSON.stringify(sample.params) === params ? undefined : 'params')
    if (strange) throw new UsageError(`${where}: /${strange} is not that of its cell in run.json`)
    // What samples have in common is there once, for whoever keeps many.
    const { id, ...place } = cell
    return Object.assign(sample, { cell: id, ...place }, sample.warnings.length === 0 ? { warnings: NO_WARNINGS } : {})
  }
}

/** Numbers outside of the heap, of which there may be millions: the heap would grow by a multiple of them. */
class Numbers {
  #room
  #length

  /** @param {number[]} first */
  constructor (first) {
    this.#room = Float64Array.from(first)
    this.#length = first.length
  }

  get values () {
    return this.#room.subarray(0, this.#length)
  }

  /** @param {number} value */
  push (value) {
    if (this.#length === this.#room.length) {
      const larger = new Float64Array(2 * this.#length)
      larger.set(this.#room)
      this.#room = larger
    }
    this.#room[this.#length++] = value
  }
}

/**
 * @param {Float64Array} cellOf  By line, from 1.
 * @param {number} cells
 * @returns {Uint32Array[]} the lines of each cell
 */
function groupLines (cellOf, cells) {
  const counts = new Uint32Array(cells)
  for (let line = 1; line < cellOf.length; line++) counts[cellOf[line]]++
  const groups = Array.from(counts, count => new Uint32Array(count))
  counts.fill(0)
  for (let line = 1; line < cellOf.length; line++) groups[cellOf[line]][counts[cellOf[line]]++] = line
  return groups
}

/** What samples were measured in: a heat, or alone in a round. */
class Events {
  /** By name. @type {Map<string, number>} */
  #numbers = new Map()
  /** How many samples a heat has; NaN where its samples do not agree. @type {(number | undefined)[]} */
  #sizes = []
  /** By line. */
  #eventOf = new Numbers([NaN])

  /** @param {Sample} sample  Of the next line. */
  add ({ channel, round, heat, heatSize }) {
    const name = heat ?? `${channel} ${round}`
    const known = this.#numbers.get(name)
    const event = known ?? this.#numbers.size
    this.#numbers.set(name, event)
    this.#sizes[event] = known === undefined || this.#sizes[event] === heatSize ? heatSize : NaN
    this.#eventOf.push(event)
  }

  /**
   * Two processes that wrote to one directory, before it was locked, took the same samples twice. The second of each would count
   * as another process that agrees.
   *
   * @param {Uint32Array[]} cells  Their lines.
   * @param {number[]} profiled  Several tools profile a cell in one round; anything else is measured once.
   * @returns {Set<number>} lines
   */
  findRepeated (cells, profiled) {
    const eventOf = this.#eventOf.values
    const isProfile = new Set(profiled)
    return new Set(cells.flatMap(lines => {
      const seen = new Set()
      return [...lines].filter(line => {
        const isRepeated = !isProfile.has(line) && seen.has(eventOf[line])
        if (!isProfile.has(line)) seen.add(eventOf[line])
        return isRepeated
      })
    }))
  }

  /**
   * @param {Set<number>} repeated  Lines that do not count.
   * @returns {number[]} lines of heats of which only a part is there
   */
  findCutOff (repeated) {
    const eventOf = this.#eventOf.values
    const counts = this.#sizes.map(() => 0)
    const isCutOff = (/** @type {number} */ event) => this.#sizes[event] !== undefined && this.#sizes[event] !== counts[event]
    for (let line = 1; line < eventOf.length; line++) if (!repeated.has(line)) counts[eventOf[line]]++
    const found = []
    for (let line = 1; line < eventOf.length; line++) if (!repeated.has(line) && isCutOff(eventOf[line])) found.push(line)
    return found
  }
}

/**
 * Lines that follow each other, to be read in one go, but not more of them than fit into memory in one piece.
 *
 * @param {Lines} lines
 * @param {ArrayLike<number>} ends  The byte at which each line ends, from line 0.
 * @returns {{first: number, last: number}[]}
 */
export function neighbours (lines, ends) {
  /** @type {{first: number, last: number}[]} */
  const parts = []
  for (const line of [...lines].sort((a, b) => a - b)) {
    const part = parts[parts.length - 1]
    if (part && line <= part.last + 1 && ends[line] - ends[part.first - 1] <= MOST_AT_ONCE) part.last = line
    else parts.push({ first: line, last: line })
  }
  return parts
}
