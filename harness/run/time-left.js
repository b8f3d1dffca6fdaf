/**
 * Estimates how long steps take: as long as the same cells took before; else by the plan's figures, corrected by steps
 * of their kind.
 */
import { kindIn } from '../model/kinds.js'
import { stepSeconds } from '../plan/step-seconds.js'
/** @import { Plan } from '../plan/plan.js' */
/** @import { Kind, Step } from '../plan/steps.js' */
/** @import { Sample } from '../store/results.js' */

export class TimeLeft {
  #settings
  #kindOf
  /**
   * Seconds of the latest step of the same cells.
   *
   * @type {Map<string, number>}
   */
  #latest = new Map()
  /** @type {Map<string, {expected: number, seconds: number}>} */
  #measured = new Map()

  /** @param {Pick<Plan, 'settings' | 'scenarios'>} plan */
  constructor (plan) {
    this.#settings = plan.settings
    this.#kindOf = kindIn(plan)
  }

  /** @param {Sample[]} samples  All samples of a step. */
  see (samples) {
    const [{ kind, seconds }] = samples
    const { like, expected } = this.#planned(samples[0], samples.length)
    const before = this.#measured.get(like) ?? { expected: 0, seconds: 0 }
    this.#measured.set(like, { expected: before.expected + expected, seconds: before.seconds + seconds })
    this.#latest.set(cellsName(kind, samples.map(({ cell }) => cell)), seconds)
  }

  /** @param {Pick<Step, 'kind' | 'cells'>} step */
  secondsOf ({ kind, cells }) {
    const latest = this.#latest.get(cellsName(kind, cells.map(({ id }) => id)))
    if (latest !== undefined) return latest
    const { like, expected } = this.#planned({ kind, ...cells[0] }, cells.length)
    const measured = this.#measured.get(like) ?? { expected: 1, seconds: 1 }
    return (expected * measured.seconds) / measured.expected
  }

  /**
   * Servers are measured for as long as the plan says. The speed of queues shows when a step of their kind has been
   * measured.
   *
   * @param {Pick<Step, 'kind' | 'cells'>} step
   */
  isKnown ({ kind, cells }) {
    const { isServer, like } = this.#planned({ kind, ...cells[0] }, cells.length)
    return isServer || this.#measured.has(like)
  }

  /**
   * @param {{kind: Kind, scenario: string, params: Record<string, number>}} step
   * @param {number} size  Number of cells.
   */
  #planned ({ kind, scenario, params }, size) {
    const { isServer = false } = this.#kindOf({ scenario })
    // Steps that one speed corrects are alike.
    const like = `${kind} ${isServer}`
    return { isServer, like, expected: stepSeconds(this.#settings, { kind, isServer, params, size }) }
  }
}

/**
 * @param {Kind} kind
 * @param {string[]} cells  Their ids.
 */
const cellsName = (kind, cells) => `${kind} ${cells.sort()}`
