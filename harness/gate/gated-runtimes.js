/** Two versions of Node as the sides of a gate: the second may be slower. */
import { rmSync } from 'node:fs'
import { UsageError } from '../model/errors.js'
import { copyBinary } from '../processes/own-binaries.js'
import { lastWordsOf, removeAtEnd } from '../processes/processes.js'
import { v8Of } from '../processes/runtimes.js'

/** @import { Sides } from '../plan/plan.js' */
/** @import { Runtime } from '../processes/child.js' */
/** @import { GateSettings } from './gate-plan.js' */

/**
 * @typedef {Omit<GateSettings, 'rules' | 'budgetSeconds' | 'looks' | 'unmatched' | 'mostRounds'>} SidesOfRuntimes
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
 * Gives each side copies of its binary, if copies run at all: some binaries need files next to them.
 *
 * @param {Runtime[]} runtimes
 * @param {Sides} sides
 * @param {string} folder  Folder for the copies, which goes when this process ends.
 * @returns {Promise<{sides: Sides, warnings: string[]}>}
 */
export async function copyBinaries (runtimes, sides, folder) {
  const runtimeOf = (/** @type {string} */ name) => /** @type {Runtime} */ (runtimes.find(one => one.name === name))
  removeAtEnd(folder)
  try {
    const [base, head] = await Promise.all(
      /** @type {const} */ (['base', 'head']).map(async side => {
        const runtime = runtimeOf(String(sides[side].runtime))
        const copies = await copyBinary(runtime.path, folder, side)
        await v8Of({ ...runtime, path: copies[0] })
        return { ...sides[side], copies }
      })
    )
    return { sides: { base, head, control: base }, warnings: [] }
  } catch (error) {
    const { message, stderr } = /** @type {Error & {stderr?: string}} */ (error)
    rmSync(folder, { recursive: true, force: true })
    return {
      sides,
      warnings: [
        `copies of the binaries cannot be used${lastWordsOf(stderr || message)} ` +
          '(so all processes of a side share one file, whose place in memory can favour it by a few percent)'
      ]
    }
  }
}
