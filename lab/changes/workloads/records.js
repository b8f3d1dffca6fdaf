/** A parser of log lines, as a service would have one: JSON with dates that become numbers. Calibration edits it. */
import { spin } from '../../calibration/spin.js'

/** Units of useless work in each call. */
const WORK = 50

const DATE = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)Z$/

export class RecordParser {
  #waste = 1
  #dates = 0

  /**
   * @param {string} line
   * @returns {Record<string, unknown>}
   */
  parse (line) {
    this.#waste = spin(WORK, this.#waste)
    return JSON.parse(line, (_, value) => this.#revive(value))
  }

  get dates () {
    return this.#dates
  }

  /** @param {unknown} value */
  #revive (value) {
    if (typeof value !== 'string') return value
    const parts = DATE.exec(value)
    if (parts === null) return value
    this.#dates++
    return Date.UTC(
      Number(parts[1]),
      Number(parts[2]) - 1,
      Number(parts[3]),
      Number(parts[4]),
      Number(parts[5]),
      Number(parts[6])
    )
  }
}
