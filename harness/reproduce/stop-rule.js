/** Stop rule: after the planned rounds, only cells of undecided conditions are measured again. */
import { hasLimits, judgeFirst, MissingError } from './judge-claims.js'
import { cellOf, kindOf, specsIn } from './observe.js'

/** @import { Claim } from '../../scenarios/claims/claim.js' */
/** @import { Step } from '../plan/steps.js' */
/** @import { Cell } from '../model/cell.js' */
/** @import { Plan } from '../plan/plan.js' */
/** @import { Sample } from '../store/results.js' */

export class UndecidedClaims {
  #plan
  #claims
  /** Samples of the planned rounds. @type {Sample[]} */
  #samples = []
  /** Planned rounds seen, by kind and cell. @type {Map<string, number>} */
  #rounds = new Map()
  /** Kinds and cells of undecided conditions; null: samples of the planned rounds have changed them. @type {Set<string> | null} */
  #undecided = null

  /** @param {Plan} plan @param {Claim[]} claims */
  constructor (plan, claims) {
    this.#plan = plan
    this.#claims = claims.filter(({ excluded }) => !excluded)
  }

  /** @param {Sample[]} samples */
  see (samples) {
    for (const sample of samples.filter(({ round }) => round < this.#plan.settings.rounds)) {
      const key = `${sample.kind} ${sample.cell}`
      this.#samples.push(sample)
      this.#rounds.set(key, (this.#rounds.get(key) ?? 0) + 1)
      this.#undecided = null
    }
  }

  /** @param {Cell} cell @param {Pick<Step, 'kind'>} step @returns {boolean} */
  wants ({ id }, { kind }) {
    if (kind === 'count' || (this.#rounds.get(`${kind} ${id}`) ?? 0) < this.#plan.settings.rounds) return true
    this.#undecided ??= new Set(this.#claims.flatMap(claim => this.#undecidedOf(claim)))
    return this.#undecided.has(`${kind} ${id}`)
  }

  /** @param {Claim} claim @returns {string[]} */
  #undecidedOf (claim) {
    return this.#openConditions(claim).filter(hasLimits).flatMap(condition =>
      specsIn(condition).map(spec => `${kindOf(this.#plan, condition)} ${cellOf(this.#plan, spec).id}`))
  }

  /** @param {Claim} claim */
  #openConditions (claim) {
    try {
      const { holds, conditions } = judgeFirst(claim, this.#plan, this.#samples)
      return holds === null ? conditions.filter(({ holds }) => holds === null).map(({ condition }) => condition) : []
    } catch (error) {
      if (!(error instanceof MissingError)) throw error
      // No sample of some cell says anything yet. A cell that keeps failing is given up by the run.
      return claim.holds
    }
  }
}
