import { Faults } from './faults.js'
import { Ledger } from './ledger.js'
import { Script } from './script.js'

/** What all parts of a trial share: the queue, the ledger that judges it, the script, the faults and the clock. */
export class State {
  /** @type {import('../../../queues/contract.js').TimerQueue} */
  queue = /** @type {any} */ (null)
  clock = 0
  /** The `now` of the latest advance. */
  advancedTo = 0

  /** @param {Pick<import('../../../queues/contract.js').QueueMeta, 'order' | 'accuracy'>} declared */
  constructor (declared) {
    this.script = new Script()
    this.ledger = new Ledger(declared)
    this.faults = new Faults(this.script, this.ledger)
  }
}
