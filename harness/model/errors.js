/** An error of the user's making or of the machine's: one clear line, no stack trace. Its exit code is the design's. */
export class UsageError extends Error {
  exitCode = 2
}

/** Nothing valid was measured. */
export class MeasurementError extends Error {
  exitCode = 4
}
