/**
 * What claims measure, in which order, and until when. Counts come first: they need no clock, and decide for good. From
 * there on each round goes to the claim that it can decide soonest. A condition's cells are measured until it, or its
 * claim without it, is decided; claims that no planned look may decide come last.
 */
import { sum } from 'simple-statistics'
import { fatalFailure } from '../judge/pairs.js'
import { groupBy } from '../model/group-by.js'
import { shuffle } from '../model/random.js'
import { randomOf } from '../plan/plan.js'
import { ROUNDS_TOGETHER, singleStep, splitExclusive } from '../plan/steps.js'
import { TimeLeft } from '../run/time-left.js'
import { combine, completeRounds, hasLimits, judgeCondition, LOOKS, lookThatDecides } from './judge-claims.js'
import { cellOf, kindOf, specsIn } from './observe.js'

/** @import { Claim, Condition } from '../../scenarios/claims/claim.js' */
/** @import { Cell } from '../model/cell.js' */
/** @import { Plan } from '../plan/plan.js' */
/** @import { Kind, Step } from '../plan/steps.js' */
/** @import { Sample } from '../store/results.js' */

/** Rounds of a condition without limits, which is only shown: an interval needs three pairs. */
const SHOWN_ROUNDS = 3
/** Seconds that no claim takes. */
const SHOWN_LATER = 1e6

/**
 * @typedef {object} Group  Cells that conditions compare, directly or through a third: a queue in two sizes, or a
 *   server with two flags. They share heats, or follow each other.
 * @property {Kind} kind
 * @property {Cell[]} cells
 *
 * @typedef {object} Question
 * @property {Claim} claim
 * @property {Condition} condition
 * @property {Group} group
 * @property {string[]} keys  Kinds and ids of its cells.
 * @property {number} rounds  Complete rounds.
 * @property {boolean | null} holds  By the looks so far; null: undecided.
 * @property {number} missing  Forecast of the rounds until it is decided; Infinity: no planned look may decide it.
 */

export class Schedule {
  #plan
  /** @type {Question[]} */
  #questions
  /** @type {Map<Group, Step[][]>} */
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
    const groups = groupsOf(plan, asked.map(({ condition }) => condition))
    this.#questions = asked.map(({ claim, condition }) => {
      const kind = kindOf(plan, condition)
      const keys = specsIn(condition).map(spec => keyOf(kind, cellOf(plan, spec).id))
      const hasCell = (/** @type {Group} */ group) => group.cells.some(({ id }) => keyOf(group.kind, id) === keys[0])
      const group = /** @type {Group} */ (groups.find(hasCell))
      return { claim, condition, group, keys, rounds: 0, holds: null, missing: LOOKS[0] }
    })
    this.#rounds = new Map(groups.map(group => [group, roundsOf(plan, group)]))
  }

  /** All steps, in any order. */
  get stages () {
    return splitExclusive([...this.#rounds.values()].flat(), this.#plan)
  }

  /** Stages, each chosen by the samples of those before. */
  * order () {
    const counts = [...this.#rounds].flatMap(([{ kind }, rounds]) => (kind === 'count' ? rounds.splice(0).flat() : []))
    if (counts.length > 0) yield counts
    for (;;) {
      const rounds = this.#soonest()
      if (!rounds) return
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
    const { isPlanned, holds, estimated } = judgeCondition(condition, this.#plan, samples.flat())
    if (isPlanned) question.holds = holds
    question.rounds = rounds
    // A busy machine spoils rounds. One that spoils all of them decides nothing.
    const { n = 0 } = estimated ?? {}
    question.missing = Math.max(1, (lookThatDecides(estimated, condition) - n) * (rounds / n))
  }

  /**
   * The rounds that are left of the group to measure next: that of the claim that is decided soonest. Claims of which
   * only shown cells are open come after these.
   */
  #soonest () {
    const open = this.#questions.flatMap(question => {
      const { claim, condition, group, missing } = question
      const rounds = /** @type {Step[][]} */ (this.#rounds.get(group))
      if (rounds.length === 0 || !this.#isOpen(question)) return []
      const seconds = missing * sum(rounds[0].map(step => this.#timeLeft.secondsOf(step)))
      return { claim, rounds, seconds, isShown: !hasLimits(condition) }
    })
    const nearest = [...groupBy(open, ({ claim }) => claim).values()].map(own => ({
      rounds: own.sort((one, other) => (one.seconds < other.seconds ? -1 : 1))[0].rounds,
      seconds: sum(own.map(({ seconds }) => seconds)) + (own.every(({ isShown }) => isShown) ? SHOWN_LATER : 0)
    }))
    return nearest.sort((one, other) => (one.seconds < other.seconds ? -1 : 1))[0]?.rounds
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
