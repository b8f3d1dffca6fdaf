/** An error that the user or the machine caused: one clear line, no stack trace, and an exit code of its own. */
export class UsageError extends Error {
  exitCode = 2
}

/** Nothing valid was measured. */
export class MeasurementError extends Error {
  exitCode = 4
}

/** A fault of one sample; the run goes on without it. */
export class SampleError extends Error {
  /** @param {'crash' | 'time-limit' | 'wrong' | 'load'} kind @param {string} message */
  constructor (kind, message) {
    super(message)
    this.kind = kind
  }
}
