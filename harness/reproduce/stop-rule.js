/** Stop rule: the cells of a condition are measured until the condition, or its claim without it, is decided. */
import { sum } from 'simple-statistics'
import { fatalFailure } from '../judge/pairs.js'
import { combine, hasLimits, judgeSamples, LOOKS, lookThatDecides } from './judge-claims.js'
import { cellOf, kindOf, specsIn } from './observe.js'

/** @import { Claim, Condition } from '../../scenarios/claims/claim.js' */
/** @import { Step } from '../plan/steps.js' */
/** @import { Cell } from '../model/cell.js' */
/** @import { Plan } from '../plan/plan.js' */
/** @import { Sample } from '../store/results.js' */

/** Rounds of a condition without limits, which is only shown: an interval needs three pairs. */
const SHOWN_ROUNDS = 3
/** Stands for the rounds of a condition that no planned look may decide: more than any takes. */
const HOPELESS_ROUNDS = 1000
/** Seconds that no claim takes. */
const SHOWN_LATER = 1e6

/**
 * @typedef {object} LatestLook  The latest look at a condition.
 * @property {Condition} condition
 * @property {string[]} cells  Kinds and cells that it compares.
 * @property {number} rounds  Number of complete rounds that were looked at.
 * @property {boolean | null} holds  null: undecided.
 * @property {number} missing  Forecast of the rounds until it is decided.
 */

export class UndecidedClaims {
  #plan
  /** @type {{claim: Claim, looks: Map<Condition, LatestLook>}[]} */
  #claims
  /**
   * Samples by kind and cell.
   *
   * @type {Map<string, Sample[]>}
   */
  #samples = new Map()
  /**
   * Kinds and cells of undecided conditions.
   *
   * @type {Set<string>}
   */
  #open = new Set()

  /**
   * @param {Plan} plan
   * @param {Claim[]} claims
   */
  constructor (plan, claims) {
    this.#plan = plan
    this.#claims = claims
      .filter(({ excluded }) => !excluded)
      .map(claim => ({ claim, looks: new Map(claim.holds.map(condition => [condition, this.#firstLook(condition)])) }))
    this.#findOpen()
  }

  /** @param {Sample[]} samples */
  see (samples) {
    for (const sample of samples) {
      const key = keyOf(sample.kind, sample.cell)
      this.#samples.set(key, [...(this.#samples.get(key) ?? []), sample])
    }
    this.#findOpen()
  }

  /**
   * @param {Cell} cell
   * @param {Pick<Step, 'kind'>} step
   */
  wants ({ id }, { kind }) {
    return kind === 'count' || this.#open.has(keyOf(kind, id))
  }

  /**
   * @param {Condition} condition
   * @returns {LatestLook}
   */
  #firstLook (condition) {
    const kind = kindOf(this.#plan, condition)
    const cells = new Set(specsIn(condition).map(spec => keyOf(kind, cellOf(this.#plan, spec).id)))
    return { condition, cells: [...cells], rounds: 0, holds: null, missing: LOOKS[0] }
  }

  #findOpen () {
    this.#open = new Set(
      this.#claims.flatMap(({ claim, looks }) => {
        for (const look of looks.values()) this.#lookAgain(look)
        const isDecided = this.#isDecided(claim, looks)
        return [...looks.values()].filter(look => this.#isOpen(look, isDecided)).flatMap(({ cells }) => cells)
      })
    )
  }

  /**
   * Looks at a condition when a round of all its cells is complete.
   *
   * @param {LatestLook} look
   */
  #lookAgain (look) {
    const samples = look.cells.map(key => this.#samples.get(key) ?? [])
    const rounds = Math.min(...samples.map(own => 1 + (own.at(-1)?.round ?? -1)))
    if (rounds === look.rounds) return
    look.rounds = rounds
    if (look.holds !== null || !hasLimits(look.condition)) return
    const { holds, estimated } = judgeSamples(look.condition, this.#plan, samples.flat(), rounds)
    if (LOOKS.includes(rounds)) look.holds = holds
    look.missing = Math.max(1, Math.min(HOPELESS_ROUNDS, lookThatDecides(estimated, look.condition)) - rounds)
  }

  /**
   * What to measure next: the cells of the claim that is decided soonest. Claims of which only shown cells are open
   * come after these, and claims that no planned look may decide last.
   *
   * @template {{seconds: number}} Group  `seconds`: of a round, as long as none was measured.
   * @param {(cells: string[]) => Group | undefined} groupOf  Returns the group of kinds and cells, if it has rounds
   *   left.
   * @returns {Group | undefined}
   */
  soonest (groupOf) {
    const claims = this.#claims.flatMap(({ claim, looks }) => {
      const isDecided = this.#isDecided(claim, looks)
      const open = [...looks.values()].flatMap(look => {
        const group = groupOf(look.cells)
        if (group === undefined || !this.#isOpen(look, isDecided)) return []
        const seconds = look.missing * (this.#secondsOf(look.cells) || group.seconds)
        return { group, seconds, isShown: !hasLimits(look.condition) }
      })
      if (open.length === 0) return []
      const [{ group }] = open.sort((one, other) => one.seconds - other.seconds)
      const later = open.every(({ isShown }) => isShown) ? SHOWN_LATER : 0
      return { group, seconds: later + sum(open.map(({ seconds }) => seconds)) }
    })
    return claims.sort((one, other) => (one.seconds < other.seconds ? -1 : 1))[0]?.group
  }

  /**
   * Measured seconds of a round of these cells: those of a heat together.
   *
   * @param {string[]} keys
   */
  #secondsOf (keys) {
    const latest = keys.flatMap(key => this.#samples.get(key)?.at(-1) ?? [])
    const heats = new Map(latest.map(sample => [sample.heat ?? sample.cell, sample.seconds]))
    return sum([...heats.values()])
  }

  /**
   * @param {Claim} claim
   * @param {Map<Condition, LatestLook>} looks
   */
  #isDecided (claim, looks) {
    return combine(claim, condition => /** @type {LatestLook} */ (looks.get(condition)).holds) !== null
  }

  /**
   * @param {LatestLook} look
   * @param {boolean} isDecided  Whether its claim is decided.
   */
  #isOpen ({ condition, cells, rounds, holds }, isDecided) {
    // A cell that is given up leaves its conditions undecided.
    if (cells.some(key => fatalFailure(this.#samples.get(key) ?? []) !== undefined)) return false
    return hasLimits(condition) ? holds === null && !isDecided : rounds < SHOWN_ROUNDS
  }
}

/** @type {(kind: string, cell: string) => string} */
const keyOf = (kind, cell) => `${kind} ${cell}`
