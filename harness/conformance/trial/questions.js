/** Asks a queue about its whole state, and compares its answers with the ledger. */

/** @typedef {import('./ledger.js').Entry} Entry */

export class Questions {
  #state

  /** @param {import('./state.js').State} state */
  constructor (state) {
    this.#state = state
  }

  askAll () {
    const { queue, ledger, faults } = this.#state
    const { size } = ledger
    if (queue.size !== size) {
      faults.report('size', `size is ${queue.size}, ${size} are pending`, `assert.equal(queue.size, ${size})`)
    }
    for (const entry of ledger.entries) this.#askState(entry)
    this.askNextExpiry()
  }

  /**
   * Asks about a timer in its own callback.
   *
   * @param {Entry} entry
   */
  askInside ({ name, handle, deadline }) {
    const { queue, ledger, faults } = this.#state
    // The lateness of an expiry is measured in its callback.
    this.#expect('deadlineOf', name, handle, deadline)
    this.#expect('payloadOf', name, handle, name)
    if (queue.isPending(handle)) {
      const message = `${name} is pending while it fires`
      faults.report('inside-expire', message, `assert.equal(queue.isPending(${name}), false)`)
    }
    const { size } = ledger
    if (queue.size !== size) {
      const message = `size is ${queue.size} while ${name} fires and ${size} others are pending`
      faults.report('inside-expire', message, `assert.equal(queue.size, ${size})`)
    }
  }

  /** @returns {number} the queue's answer, which is not too late */
  askNextExpiry () {
    const { queue, ledger, faults, advancedTo } = this.#state
    const next = queue.nextExpiry()
    const { earliestLimit } = ledger
    // For an overdue timer it may be the present instead.
    const latest = earliestLimit === Infinity ? Infinity : Math.max(earliestLimit, advancedTo)
    if (latest === Infinity ? next === Infinity : next <= latest) return next
    const [situation, assertion] = latest === Infinity
      ? ['nothing is pending', 'assert.equal(queue.nextExpiry(), Infinity)']
      : [`a timer must fire by ${earliestLimit}`, `assert.ok(queue.nextExpiry() <= ${latest})`]
    throw faults.stop('next-expiry', `nextExpiry is ${next} while ${situation}`, assertion)
  }

  /** @param {Entry} entry */
  #askState ({ name, handle, pending, deadline }) {
    this.#expect('isPending', name, handle, pending)
    this.#expect('payloadOf', name, handle, name)
    if (pending) this.#expect('deadlineOf', name, handle, deadline)
  }

  /**
   * @param {'isPending' | 'deadlineOf' | 'payloadOf'} method
   * @param {string} name
   * @param {any} handle
   * @param {unknown} expected
   */
  #expect (method, name, handle, expected) {
    const { queue, faults } = this.#state
    const actual = queue[method](handle)
    if (actual === expected) return
    const code = typeof expected === 'string' ? `'${expected}'` : String(expected)
    const message = `${method}(${name}) is ${String(actual)} instead of ${code}`
    faults.report('state', message, `assert.equal(queue.${method}(${name}), ${code})`)
  }
}
