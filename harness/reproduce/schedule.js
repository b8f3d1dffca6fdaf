/**
 * What claims measure, in which order, and until when. Counts come first: they need no clock, and decide for good. From
 * there on each round goes to the cells whose next look costs least, all their rounds included: cells that no look
 * decides take no more time than others. A condition's cells are measured until it, or its claim without it, is
 * decided.
 */
import { sum } from 'simple-statistics'
import { fatalFailure } from '../judge/pairs.js'
import { shuffle } from '../model/random.js'
import { randomOf } from '../plan/plan.js'
import { ROUNDS_TOGETHER, singleStep, splitExclusive } from '../plan/steps.js'
import { TimeLeft } from '../run/time-left.js'
import { combine, completeRounds, hasLimits, judgeCondition, LOOKS } from './judge-claims.js'
import { cellOf, kindOf, specsIn } from './observe.js'

/** @import { Claim, Condition } from '../../scenarios/claims/claim.js' */
/** @import { Cell } from '../model/cell.js' */
/** @import { Plan } from '../plan/plan.js' */
/** @import { Kind, Step } from '../plan/steps.js' */
/** @import { Sample } from '../store/results.js' */

/** Rounds of a condition without limits, which is only shown: an interval needs three pairs. */
const SHOWN_ROUNDS = 3

/**
 * @typedef {object} Group  Cells that conditions compare, directly or through a third: a queue in two sizes, or a
 *   server with two flags. They share heats, or follow each other.
 * @property {Kind} kind
 * @property {Cell[]} cells
 *
 * @typedef {object} Question
 * @property {Claim} claim
 * @property {Condition} condition
 * @property {string[]} keys  Kinds and ids of its cells.
 * @property {number} rounds  Complete rounds.
 * @property {boolean | null} holds  By the looks so far; null: undecided.
 */

export class Schedule {
  #plan
  /** @type {Question[]} */
  #questions
  /**
   * Rounds of each group, each with its steps.
   *
   * @type {Step[][][]}
   */
  #rounds
  /** @type {Map<string, Sample[]>} */
  #samples = new Map()
  #timeLeft

  /**
   * @param {Plan} plan
   * @param {Claim[]} claims
   */
  constructor (plan, claims) {
    this.#plan = plan
    this.#timeLeft = new TimeLeft(plan)
    const asked = claims.flatMap(claim => (claim.excluded ? [] : claim.holds.map(condition => ({ claim, condition }))))
    this.#questions = asked.map(({ claim, condition }) => {
      const kind = kindOf(plan, condition)
      const keys = specsIn(condition).map(spec => keyOf(kind, cellOf(plan, spec).id))
      return { claim, condition, keys, rounds: 0, holds: null }
    })
    this.#rounds = groupsOf(plan, asked.map(({ condition }) => condition)).map(group => roundsOf(plan, group))
  }

  /** All steps, in any order. */
  get stages () {
    return splitExclusive(this.#rounds.flat(), this.#plan)
  }

  /** Stages, each chosen by the samples of those before. */
  * order () {
    const isCount = (/** @type {Step[][]} */ [[{ kind }]]) => kind === 'count'
    const counts = this.#rounds.filter(isCount).flat(2)
    if (counts.length > 0) yield counts
    const timed = this.#rounds.filter(rounds => !isCount(rounds))
    while (timed.some(rounds => rounds.length > 0)) {
      const rounds = this.#cheapest(timed)
      const [[{ isExclusive }]] = splitExclusive([rounds[0]], this.#plan)
      yield * splitExclusive([rounds.splice(0, isExclusive ? 1 : ROUNDS_TOGETHER).flat()], this.#plan)
    }
  }

  /** @param {Sample[]} samples  All samples of a step. */
  see (samples) {
    this.#timeLeft.see(samples)
    const seen = new Set(samples.map(({ kind, cell }) => keyOf(kind, cell)))
    for (const sample of samples) {
      const key = keyOf(sample.kind, sample.cell)
      this.#samples.set(key, [...(this.#samples.get(key) ?? []), sample])
    }
    for (const question of this.#questions) if (question.keys.some(key => seen.has(key))) this.#look(question)
  }

  /**
   * @param {Pick<Cell, 'id'>} cell
   * @param {Pick<Step, 'kind'>} step
   */
  wants ({ id }, { kind }) {
    const key = keyOf(kind, id)
    return kind === 'count' || this.#questions.some(question => question.keys.includes(key) && this.#isOpen(question))
  }

  /** @param {Question} question */
  #look (question) {
    const { condition, keys } = question
    const samples = keys.map(key => this.#samples.get(key) ?? [])
    const rounds = completeRounds(samples)
    if (rounds === question.rounds || question.holds !== null) return
    const { isPlanned, holds } = judgeCondition(condition, this.#plan, samples.flat())
    if (isPlanned) question.holds = holds
    question.rounds = rounds
  }

  /** @param {Step[][][]} timed  Rounds that are left of each group, perhaps decided; not all are empty. */
  #cheapest (timed) {
    const left = timed.filter(rounds => rounds.length > 0)
    return left.sort(([one], [other]) => this.#costOf(one) - this.#costOf(other))[0]
  }

  /**
   * Seconds of all rounds of a group up to its next look.
   *
   * @param {Step[]} steps  Steps of its next round.
   */
  #costOf (steps) {
    const look = LOOKS.find(look => look > steps[0].round) ?? steps[0].round + 1
    return look * sum(steps.map(step => this.#timeLeft.secondsOf(step)))
  }

  /** @param {Question} question */
  #isOpen ({ claim, condition, keys, rounds, holds }) {
    // A cell that is given up leaves its conditions undecided.
    if (keys.some(key => fatalFailure(this.#samples.get(key) ?? []) !== undefined)) return false
    if (!hasLimits(condition)) return rounds < SHOWN_ROUNDS
    const holdsOf = (/** @type {Condition} */ condition) =>
      this.#questions.find(question => question.condition === condition)?.holds ?? null
    return holds === null && combine(claim, holdsOf) === null
  }
}

/**
 * @param {Plan} plan
 * @param {Condition[]} conditions
 * @returns {Group[]}
 */
function groupsOf (plan, conditions) {
  const cells = new Map(plan.cells.map(cell => [cell.id, cell]))
  /** @type {Group[]} */
  let groups = []
  for (const condition of conditions) {
    const kind = kindOf(plan, condition)
    const own = specsIn(condition).map(spec => /** @type {Cell} */ (cells.get(cellOf(plan, spec).id)))
    const joins = (/** @type {Group} */ group) => group.kind === kind && group.cells.some(cell => own.includes(cell))
    const joined = new Set([...groups.filter(joins).flatMap(({ cells }) => cells), ...own])
    groups = [...groups.filter(group => !joins(group)), { kind, cells: [...joined] }]
  }
  return groups
}

/**
 * Steps of each round of a group. Its cells have a random order.
 *
 * @param {Plan} plan
 * @param {Group} group
 * @returns {Step[][]}
 */
function roundsOf ({ settings: { seed }, end: { rounds } }, { kind, cells }) {
  // Independent of the order of cells. No two heats of a round share a cell.
  const [first, ...others] = cells.map(({ id }) => id).sort()
  const name = others.length === 0 ? first : `${first} and ${others.length} more`
  return Array.from({ length: kind === 'count' ? 1 : rounds }, (_, round) => {
    const shuffled = shuffle(cells, randomOf(seed, round))
    return kind === 'heat'
      ? [{ kind, cells: shuffled, id: `${name} round ${round}`, round }]
      : shuffled.map(cell => singleStep(kind, cell, round))
  })
}

/** @type {(kind: string, cell: string) => string} */
const keyOf = (kind, cell) => `${kind} ${cell}`
