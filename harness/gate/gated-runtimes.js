/** Two versions of Node as the sides of a gate: the second may be slower. */
import { UsageError } from '../model/errors.js'
import { withOwnBinaries } from '../processes/own-binaries.js'
import { lastWordsOf } from '../processes/processes.js'
import { v8Of } from '../processes/runtimes.js'

/** @import { GateSettings, Sides } from '../plan/plan.js' */
/** @import { Runtime } from '../processes/child.js' */

/**
 * @typedef {Omit<GateSettings, 'rules' | 'budgetSeconds' | 'looks' | 'unmatched'>} SidesOfRuntimes
 *
 * @param {Runtime[]} named
 * @param {string[]} specs  Names that the user gave them.
 * @returns {Promise<{runtimes: Runtime[], gate: SidesOfRuntimes}>}
 * @throws {UsageError} when both are one program
 */
export async function gateRuntimes (named, specs) {
  if (named[0].path === named[1].path) {
    throw new UsageError(
      `--runtime names one Node twice: ${named[0].path} (to see the noise of this machine: --base main --self-check)`
    )
  }
  // Two binaries of one version are told apart by their paths.
  const isOneVersion = named[0].name === named[1].name
  const runtimes = named.map((runtime, i) =>
    isOneVersion ? { ...runtime, name: `${runtime.name} (${specs[i]})` } : runtime
  )
  const [before, after] = (await Promise.all(runtimes.map(v8Of))).map(v8Series)
  const isUncounted = before !== after
  const [base, head] = runtimes.map(({ name }) => ({ runtime: name }))
  return {
    runtimes,
    gate: {
      baseRef: base.runtime,
      headRef: head.runtime,
      sides: { base, head, control: base },
      warnings: isUncounted ? [`work is not compared: V8 ${before} and V8 ${after} count blocks differently`] : [],
      isUncounted
    }
  }
}

/** @param {string} version  process.versions.v8 */
const v8Series = version => version.split('.').slice(0, 2).join('.')

/**
 * Gives each side a folder for copies of its binary, if copies run at all: some binaries need files next to them.
 *
 * @param {Runtime[]} runtimes
 * @param {Sides} sides
 * @param {string} binaries  Folder for the copies.
 * @returns {Promise<{sides: Sides, warnings: string[]}>}
 */
export async function drawBinaries (runtimes, sides, binaries) {
  try {
    await withOwnBinaries(runtimes, binaries, own => Promise.all(own.map(v8Of)))
  } catch (error) {
    const { message, stderr } = /** @type {Error & {stderr?: string}} */ (error)
    return {
      sides,
      warnings: [
        `copies of the binaries do not run${lastWordsOf(stderr || message)} ` +
          '(so all processes of a side share one file, whose place in memory can favour it by a few percent)'
      ]
    }
  }
  const [base, head, control] = [sides.base, sides.head, sides.control].map(side => ({ ...side, binaries }))
  return { sides: { base, head, control }, warnings: [] }
}
