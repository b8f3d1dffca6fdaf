/** The rules of a verdict. */
import { UsageError } from '../../harness/model/errors.js'
import { formatPercent } from '../../harness/model/numbers.js'
import { DEFAULT_RULES } from '../../harness/judge/verdict.js'

/**
 * @param {import('./options.js').RulesRequest} request
 * @returns {import('../../harness/judge/verdict.js').Rules}
 * @throws {UsageError} when nothing lies between floor and margin
 */
export function rulesOf ({ floor = DEFAULT_RULES.floor, margin = DEFAULT_RULES.margin, alpha = DEFAULT_RULES.alpha }) {
  if (margin <= floor) throw new UsageError(`--margin must be above --floor, got ${formatPercent(margin)} and ${formatPercent(floor)}`)
  return { floor, margin, alpha }
}
