/** An error that the user or the machine caused: one clear line, no stack trace, and exit code 2. */
export class UsageError extends Error {
  exitCode = 2
}

/** A file of the user that is missing or refused, as it may be in one of many commits. */
export class FileError extends UsageError {}

/** Nothing valid was measured. */
export class MeasurementError extends Error {
  exitCode = 4
}

/** A side of a gate cannot be measured at all. */
export class SideError extends MeasurementError {
  /**
   * @param {string} side
   * @param {string} reason
   * @param {string} [remark]
   */
  constructor (side, reason, remark = '') {
    super(`${side}: ${reason}${remark}`)
    this.side = side
    this.reason = reason
  }
}

/** A fault of one sample; the run goes on without it. */
export class SampleError extends Error {
  /**
   * @param {'crash' | 'time-limit' | 'wrong' | 'load'} kind
   * @param {string} message
   * @param {'died' | 'refused'} [code]  The process has ended, or refuses a module, which the message names.
   */
  constructor (kind, message, code) {
    super(message)
    this.kind = kind
    this.code = code
  }
}

/** Aliases and paths have other names. */
const NAME_OF_PACKAGE = /^(@[a-z\d][\w.-]*\/)?[a-z\d][\w.-]*$/i

/**
 * Names the package that a module lacks.
 *
 * @param {Error} error  Thrown while the module was loaded.
 * @param {string} module  Name of the module in the message.
 * @returns {UsageError | undefined} undefined: the error has another cause
 */
export function missingPackage ({ message }, module) {
  const name = /^Cannot find package '([^']+)'/.exec(message)?.[1] ?? ''
  if (!NAME_OF_PACKAGE.test(name)) return undefined
  return new UsageError(`${module} needs the package ${name}: npm install ${name}`)
}
