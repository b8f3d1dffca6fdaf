/**
 * Estimates how long steps take: as long as the same cells took before; else by the plan's figures, corrected by steps
 * of their kind.
 */
import { serverScenarios } from '../model/cell.js'
import { stepSeconds } from '../plan/step-seconds.js'
/** @import { Plan } from '../plan/plan.js' */
/** @import { Kind, Step } from '../plan/steps.js' */
/** @import { Sample } from '../store/results.js' */

export class TimeLeft {
  #settings
  #http
  /**
   * Seconds of the latest step of the same cells.
   *
   * @type {Map<string, number>}
   */
  #latest = new Map()
  /** @type {Map<string, {expected: number, seconds: number}>} */
  #kinds = new Map()

  /** @param {Pick<Plan, 'settings' | 'scenarios'>} plan */
  constructor ({ settings, scenarios }) {
    this.#settings = settings
    this.#http = serverScenarios(scenarios)
  }

  /** @param {Sample[]} samples  All samples of a step. */
  see (samples) {
    const [{ kind, seconds, params, scenario }] = samples
    const size = samples.length
    const name = kindName(kind, this.#http.has(scenario))
    const { expected, seconds: before } = this.#kinds.get(name) ?? { expected: 0, seconds: 0 }
    this.#kinds.set(name, {
      expected: expected + this.#expected({ kind, scenario, params, size }),
      seconds: before + seconds
    })
    this.#latest.set(
      cellsName(
        kind,
        samples.map(({ cell }) => cell)
      ),
      seconds
    )
  }

  /** @param {Pick<Step, 'kind' | 'cells'>} step */
  secondsOf ({ kind, cells }) {
    const [{ scenario, params }] = cells
    const latest = this.#latest.get(
      cellsName(
        kind,
        cells.map(({ id }) => id)
      )
    )
    if (latest !== undefined) return latest
    const { expected, seconds } = this.#kinds.get(kindName(kind, this.#http.has(scenario))) ?? {
      expected: 1,
      seconds: 1
    }
    return (this.#expected({ kind, scenario, params, size: cells.length }) * seconds) / expected
  }

  /**
   * Servers are measured for as long as the plan says. The speed of queues shows when a step of their kind has been
   * measured.
   *
   * @param {Pick<Step, 'kind' | 'cells'>} step
   */
  isKnown ({ kind, cells: [{ scenario }] }) {
    return this.#http.has(scenario) || this.#kinds.has(kindName(kind, false))
  }

  /**
   * @param {{kind: Kind, scenario: string, params: Record<string, number>, size: number}} step `size`: number of cells.
   */
  #expected ({ scenario, ...step }) {
    return stepSeconds(this.#settings, { ...step, isHttp: this.#http.has(scenario) })
  }
}

/**
 * @param {Kind} kind
 * @param {boolean} isHttp
 */
const kindName = (kind, isHttp) => `${kind} ${isHttp}`

/**
 * @param {Kind} kind
 * @param {string[]} cells  Their ids.
 */
const cellsName = (kind, cells) => `${kind} ${cells.sort()}`
