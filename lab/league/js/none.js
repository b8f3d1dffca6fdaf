/** The driver alone: every operation and its handle are read and used, and nothing is done. */
export class None {
  sum = 0

  createTimer (payload) {
    return payload
  }

  insert (timer, deadline) {
    this.sum = (this.sum + timer + deadline) | 0
  }

  reschedule (timer, deadline) {
    this.sum = (this.sum + timer + deadline) | 0
  }

  cancel (timer) {
    this.sum = (this.sum + timer) | 0
  }

  advance (now) {
    this.sum = (this.sum + now) | 0
  }
}
