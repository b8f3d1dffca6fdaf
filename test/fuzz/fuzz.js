/**
 * Reads damaged inputs until the cases are used up: each must be refused in one clear line, or be read as what it says.
 */
import { AssertionError } from 'node:assert/strict'
import { damage } from './damage.js'

const LONGEST_MESSAGE = 1000

/**
 * @typedef {object} Finding
 * @property {string} target
 * @property {number} seed  Of this case alone.
 * @property {string} fault
 */

/** Set TIMERQ_FUZZ_SEED to repeat a run. */
export const SEED = Number(process.env.TIMERQ_FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31))

/**
 * @param {import('./targets.js').Target} target
 * @param {{cases: number, seed: number}} options
 * @returns {Promise<{refused: number, read: number, findings: Finding[]}>}
 */
export async function fuzz (target, { cases, seed }) {
  let refused = 0
  /** @type {Finding[]} */
  const findings = []
  for (let i = 0; i < cases; i++) {
    const own = (seed + i) >>> 0
    try {
      await target.read(damage(target.whole, own))
    } catch (error) {
      const fault = faultOf(error)
      if (fault === null) refused++
      else findings.push({ target: target.name, seed: own, fault })
    }
  }
  return { refused, read: cases - refused - findings.length, findings }
}

/**
 * @param {any} error
 * @returns {string | null} null: an error as users should see it
 */
export function faultOf (error) {
  if (error instanceof AssertionError) return error.message
  const isForUsers = typeof error?.exitCode === 'number' || typeof error?.kind === 'string'
  if (!isForUsers) {
    return String(error?.stack ?? error)
      .split('\n')
      .slice(0, 4)
      .join(' | ')
  }
  if (error.message.length > LONGEST_MESSAGE) return `a message of ${error.message.length} characters`
  return null
}
