/**
 * What the processes of a plan make of a project once, in a folder that all of them read: its configuration, its
 * transformed modules. Two processes may make the same; a file is there whole or not at all.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** End of the name of a folder that the first process makes. */
export const FIRST = '-first'

export class Kept {
  #folder
  /** @type {Map<string, any>} */
  #own = new Map()

  /** @param {string} [folder]  None: this process keeps everything for itself. */
  constructor (folder = '') {
    this.#folder = folder
  }

  /**
   * @param {string[]} key
   * @returns {any} undefined: it is not kept
   */
  read (...key) {
    const name = nameOf(key)
    if (!this.#own.has(name) && this.#folder) {
      try {
        this.#own.set(name, JSON.parse(readFileSync(path.join(this.#folder, name), 'utf8')))
      } catch {}
    }
    return this.#own.get(name)
  }

  /**
   * @param {unknown} value  Plain data.
   * @param {string[]} key
   */
  write (value, ...key) {
    const name = nameOf(key)
    this.#own.set(name, value)
    if (!this.#folder) return
    const [file, unfinished] = ['', `-${process.pid}`].map(end => path.join(this.#folder, name + end))
    try {
      writeFileSync(unfinished, JSON.stringify(value))
      renameSync(unfinished, file)
    } catch {
      // The folder ends with the command. Nothing is lost: others make it again.
    }
  }

  /**
   * @template T
   * @param {() => Promise<T>} make
   * @param {string[]} key
   * @returns {Promise<T>}
   */
  async make (make, ...key) {
    const kept = this.read(...key)
    if (kept !== undefined) return kept
    const made = await make()
    this.write(made, ...key)
    return made
  }

  /**
   * @param {string[]} key
   * @returns {boolean} true in one process alone
   */
  isFirst (...key) {
    try {
      mkdirSync(path.join(this.#folder, `${nameOf(key)}${FIRST}`))
      return this.#folder !== ''
    } catch {
      return false
    }
  }
}

/** @param {string[]} key */
const nameOf = key => createHash('sha1').update(JSON.stringify(key)).digest('hex')
