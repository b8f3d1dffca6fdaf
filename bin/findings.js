/** Findings of the source documents: by their names, and in stored results. */
import os from 'node:os'
import { rooms } from '../harness/index.js'
import { UsageError } from '../harness/model/errors.js'
import { claimsOf } from '../scenarios/claims/index.js'

/** @import { Plan } from '../harness/plan/plan.js' */
/** @import { Results } from '../harness/store/results.js' */

const { judgeClaim } = await rooms.reproduce()

/**
 * Findings (B3) or groups of findings (A); default: all.
 *
 * @param {{preset: any, only?: string[]}} request
 */
export function chooseClaims ({ preset, only: names }) {
  const claims = claimsOf({ preset, cores: os.availableParallelism() })
  return (
    names?.flatMap(name => {
      const chosen = claims.filter(({ id }) => id === name || id.replace(/\d+$/, '') === name)
      if (chosen.length === 0) {
        throw new UsageError(`--only must name findings, got "${name}" (${claims[0].id} to ${claims.at(-1)?.id})`)
      }
      return chosen
    }) ?? claims
  )
}

/** @param {Plan} plan */
export const claimsIn = ({ of: { reproduce }, settings: { preset } }) =>
  chooseClaims({ preset, only: reproduce.claims })

/** @param {Results} results */
export const findingsIn = ({ run: { plan }, samples }) =>
  claimsIn(plan).map(claim => judgeClaim(claim, plan, samples))
