/**
 * Any queue, made slower by a known amount: every 500th start of a timer does `work` units of useless arithmetic.
 *
 *     slowed-queue.js?of=<url of a queue>&work=12               a little slower; work=0 is the same code and no slower
 *     slowed-queue.js?of=<url of a queue>&work=12&period=20     every 20th start does it
 *     slowed-queue.js?of=<url of a queue>&compare               one comparison more per start, and nothing else
 */
import { spin } from './spin.js'

const { searchParams } = new URL(import.meta.url)
const module = await import(searchParams.get('of') ?? '')
const WORK = Number(searchParams.get('work') ?? 0)
const COMPARES = searchParams.has('compare')
/**
 * Starts of a timer from one piece of work to the next. Two per cent of a fast operation is less than any loop, and a
 * short loop hides behind the code around it, so the work is done for many operations at once.
 */
const PERIOD = Number(searchParams.get('period') ?? 500)

export const meta = module.meta

/** @type {new () => any} */
const Queue = /** @type {any} */ (Object.values(module).find(value => typeof value === 'function'))

export class SlowedQueue extends Queue {
  #turn = 0
  #waste = 1

  /**
   * @param {any} timer
   * @param {number} deadline
   * @param {number} duration
   */
  insert (timer, deadline, duration) {
    this.#spend(deadline)
    super.insert(timer, deadline, duration)
  }

  /**
   * @param {any} timer
   * @param {number} deadline
   * @param {number} duration
   */
  reschedule (timer, deadline, duration) {
    this.#spend(deadline)
    super.reschedule(timer, deadline, duration)
  }

  /** @param {number} deadline */
  #spend (deadline) {
    if (COMPARES && deadline % 2 === 0) this.#waste = 1
    if (++this.#turn < PERIOD) return
    this.#turn = 0
    this.#waste = spin(WORK, this.#waste)
  }
}
