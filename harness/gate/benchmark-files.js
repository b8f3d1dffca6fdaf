/**
 * Benchmark files. A gate is about the code, so both sides run the head's file. In a folder for benchmarks, data and
 * new files are the head's, too. A module there that both sides have may be the code that is gated: each runs its own.
 */
import { cpSync, existsSync, lstatSync, rmSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import pMap from 'p-map'
import { isChosenTask } from '../formats/choose-tasks.js'
import { keepAnew } from '../measure/modules/kept.js'
import { describedOrNot } from '../measure/modules/user-modules.js'
import { benchmarksIn } from './gate-plan.js'
import { AT_ONCE } from './load-side.js'

/** @import { ComparisonRecord } from '../judge/records.js' */
/** @import { PlannedScenario } from '../plan/plan.js' */
/** @import { Described } from '../subject/describe/describe-scenario.js' */
/** @import { SidedPlan } from './gate-plan.js' */
/** @import { LoadOptions } from './load-side.js' */

/** The last folder for benchmarks on the way to a file. */
const FOLDER_OF_BENCHMARKS = /^(.*\/)?_*(bench|benches|benchmarks?|perf|performance)_*\//i
const MODULE = /\.([cm]?[jt]sx?|node|wasm)$/i

/**
 * @typedef {object} GivenFiles
 * @property {string[]} given  Files of the head that the base has now, relative to the root.
 * @property {string[]} edited  Those in place of its own.
 * @property {string[]} modules  Changed modules next to benchmark files.
 * @property {Set<string>} differing  Scenarios that differ between base and head.
 * @property {ComparisonRecord['unmatched']} lost  Tasks that only the base's own files have.
 */

/**
 * Gives the base and its control the head's benchmark files.
 *
 * @param {SidedPlan} plan
 * @param {string[]} changed  Files that differ between base and head, relative to the root.
 * @param {LoadOptions} options
 * @returns {Promise<GivenFiles>}
 */
export async function giveHeadsFiles (plan, changed, options) {
  const { base, head, control } = plan.sides
  const files = [...benchmarksIn(plan)].map(([file, scenarios]) => {
    const beside = changed.filter(name => name !== file && isBeside(name, file))
    const isModule = (/** @type {string} */ name) => MODULE.test(name) && existsSync(path.join(base.folder, name))
    const parts = [...changed.filter(name => name === file), ...beside.filter(name => !isModule(name))]
    return { file, scenarios, parts, modules: beside.filter(isModule) }
  })
  const differing = files.filter(({ parts }) => parts.length > 0)
  const lost = await pMap(differing, differs => tasksOfBase(plan, differs, options), AT_ONCE)
  const given = [...new Set(differing.flatMap(({ parts }) => parts))]
  const edited = given.filter(name => existsSync(path.join(base.folder, name)))
  for (const side of [base, control]) for (const name of given) copy(name, head.folder, side.folder)
  // The base's own files were transformed to list their tasks.
  if (given.length > 0) keepAnew()
  return {
    given,
    edited,
    modules: files.flatMap(({ modules }) => modules).filter(name => !given.includes(name)),
    differing: new Set(differing.flatMap(({ scenarios }) => scenarios.map(({ name }) => name))),
    lost: lost.flat()
  }
}

/**
 * @param {string} name
 * @param {string} file  Benchmark file.
 */
function isBeside (name, file) {
  const [folder] = FOLDER_OF_BENCHMARKS.exec(file) ?? []
  return folder !== undefined && name.startsWith(folder)
}

/**
 * @param {string} name
 * @param {string} from
 * @param {string} to
 */
function copy (name, from, to) {
  const [source, target] = [from, to].map(folder => path.join(folder, name))
  rmSync(target, { recursive: true, force: true })
  if (lstatSync(source, { throwIfNoEntry: false })) cpSync(source, target, { recursive: true, verbatimSymlinks: true })
}

/**
 * Chosen tasks of the base's own file that the head's file does not have.
 *
 * @param {SidedPlan} plan
 * @param {{file: string, scenarios: PlannedScenario[]}} differs
 * @param {LoadOptions} options
 */
async function tasksOfBase (plan, { file, scenarios }, { signal, budget }) {
  const { sides, queues, runtimes: [runtime], of: { benchmarks, gate: { baseRef } } } = plan
  const { folder, cwd } = sides.base
  if (scenarios[0].subject !== 'task' || !existsSync(path.join(folder, file))) return []
  const options = { runtime: { ...runtime, cwd }, signal, budgetSeconds: budget?.secondsLeft }
  // A file that cannot be loaded has nothing to lose.
  const url = pathToFileURL(path.join(folder, file)).href
  /** @type {Described} */
  const { descriptions = [] } = await describedOrNot(url, options).catch(() => ({}))
  // Groups without a name are numbered: a task that the head has in another group is not lost.
  const isHeads = (/** @type {string} */ task) =>
    queues.some(queue => queue.name === task && scenarios.some(({ name }) => queue.scenarios?.includes(name)))
  return descriptions.flatMap(described => {
    const { name: scenario, tasks = [scenario] } = described
    return tasks
      .filter(task => !isHeads(task) && isChosenTask(benchmarks?.task, described, task))
      .map(queue => ({
        scenario,
        params: {},
        queue,
        runtime: runtime.name,
        reason: `only ${baseRef} has this task`
      }))
  })
}
