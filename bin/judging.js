/** The rules of a verdict as options, and what a verdict makes of the exit code: shared by compare and gate. */
import { UsageError } from '../harness/model/errors.js'
import { DEFAULT_RULES } from '../harness/verdict.js'

/** @type {Record<import('../harness/verdict.js').Verdict, number>} */
export const EXIT_CODES = { pass: 0, regression: 1, inconclusive: 3, invalid: 4 }

/** @param {import('yargs').Argv} yargs */
export function rulesOptions (yargs) {
  return yargs
    .option('floor', { type: 'string', default: `${DEFAULT_RULES.floor * 100}%`, requiresArg: true, describe: 'Slowdowns up to this are no regression' })
    .option('margin', { type: 'string', default: `${DEFAULT_RULES.margin * 100}%`, requiresArg: true, describe: 'To pass, a slowdown of this must be excluded' })
    .option('alpha', { type: 'number', default: DEFAULT_RULES.alpha, requiresArg: true, describe: 'Chance of one false alarm in all rows together' })
}

/**
 * @param {{floor: string, margin: string, alpha: number}} argv
 * @returns {import('../harness/verdict.js').Rules}
 */
export function rulesFromOptions (argv) {
  const floor = percent('--floor', argv.floor)
  const margin = percent('--margin', argv.margin)
  if (margin <= floor) throw new UsageError(`--margin must be above --floor, got ${argv.margin} and ${argv.floor}`)
  if (!(argv.alpha > 0 && argv.alpha < 0.5)) throw new UsageError(`--alpha must lie between 0 and 0.5, got ${argv.alpha}`)
  return { floor, margin, alpha: argv.alpha }
}

/**
 * @param {string} option
 * @param {string} text
 */
function percent (option, text) {
  const [, number] = /^(\d+(?:\.\d+)?)\s*%?$/.exec(text) ?? []
  if (number === undefined) throw new UsageError(`${option} must be a percentage, got "${text}" (try 5%)`)
  return Number(number) / 100
}
