/** Loads the code of a side in a fresh process, and explains what a side lacks. */
import { existsSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { lookUp } from '../measure/look-up.js'
import { modulesOf } from '../measure/modules/user-modules.js'
import { SampleError } from '../model/errors.js'
import { groupBy } from '../model/group-by.js'
import { LOADING_AT_ONCE } from '../processes/child.js'
import { askGit } from '../processes/git.js'
import { PACKAGES, posixOf } from './paths.js'
import { straysAmong } from './sides.js'
/** @import { Cell, Side } from '../model/cell.js' */
/** @import { Budget } from '../run/budget.js' */
/** @import { OnRead } from '../run/progress.js' */
/** @import { Executed, Touch } from '../subject/describe/executed.js' */
/** @import { SidedPlan } from './gate-plan.js' */

/**
 * @typedef {{signal?: AbortSignal, budget?: Budget, onRead?: OnRead}} LoadOptions
 *
 * @typedef {object} Loaded
 * @property {Cell} cell  The first of its cells.
 * @property {Cell[]} cells  All cells of a side that load the same file.
 * @property {string[]} urls  Modules of the side.
 * @property {string[]} [preloaded]  Modules that NODE_OPTIONS loads before, for example.
 * @property {unknown} [accuracy]  Accuracy that it declares.
 * @property {string} [lack]  File that it lacks, in words.
 * @property {boolean} [isForeign]  Whether it runs the code of another side.
 * @property {Map<string, string[]>} [groups]  Names of the benchmark file's tasks, by group.
 * @property {string} [fault]  Error of the benchmark file, and its place: tasks may be missing.
 * @property {string} [taskFault]  Error of the first cell's task.
 * @property {string} [failure]  Reason why nothing was loaded.
 * @property {number} [loadMs]  CPU time until the file was read.
 * @property {Executed} [executed]  Missing where it is not known what runs.
 */

/** Processes that load a side at the same time. */
export const AT_ONCE = { concurrency: LOADING_AT_ONCE }
const REMEDY = 'make it in each side, for example by --prepare "npm run build"'

/**
 * Cells of a side that load the same file: a benchmark file is loaded once for all of its tasks.
 *
 * @param {SidedPlan} plan
 * @param {Side} side
 * @returns {Cell[][]}
 */
export function copiesOf ({ cells, scenarios }, side) {
  const files = new Map(scenarios.map(({ name, subject, file }) => [name, subject === 'task' ? file : undefined]))
  const own = cells.filter(cell => cell.side === side)
  return [
    ...groupBy(own, ({ scenario, queue }) => JSON.stringify(files.get(scenario) ?? [scenario, queue])).values()
  ]
}

/** @param {Loaded} loaded */
export const failureOf = ({ fault, lack, taskFault, failure }) => fault ?? lack ?? taskFault ?? failure

/**
 * Files of a side among loaded modules, relative to its folder.
 *
 * @param {SidedPlan} plan
 * @param {string[]} urls
 */
export function sideFilesAmong ({ sides }, urls) {
  const homes = [sides.base, sides.head].map(({ folder }) => realpathSync(folder) + path.sep)
  return new Set(
    urls.flatMap(url => {
      const file = fileURLToPath(url)
      return homes.filter(home => file.startsWith(home)).map(home => posixOf(file.slice(home.length)))
    })
  )
}

/**
 * @param {SidedPlan} plan
 * @param {Cell[]} cells  Of one side, which load the same file.
 * @param {LoadOptions & {touch?: Touch}} options
 * @returns {Promise<Loaded>}
 */
export async function loadSide (plan, cells, { signal, budget, touch }) {
  const [cell] = cells
  const { microJob, queue, runtime } = lookUp(plan, cell)
  const side = /** @type {Side} */ (cell.side)
  // A server file is gated on Node's own timers.
  const isServer = queue.origin === 'built-in'
  const jobs = cells.map(own => lookUp(plan, own).microJob)
  const job = { ...microJob, isServer, jobs, ...(touch && !isServer && { touch }) }
  try {
    const reply = await modulesOf(job, runtime, { signal, budgetSeconds: budget?.secondsLeft })
    const { urls, preloaded = [], taskFault } = reply
    const { foreign } = straysAmong([...urls, ...preloaded], plan.sides[side].folder, plan.of.gate.root)
    const lack = foreign
      ? `it runs ${foreign}, which is not its own copy of that file`
      : taskFault && explainMissing(taskFault, side, plan)
    return { cell, cells, ...reply, ...(lack && { lack }), isForeign: foreign !== undefined }
  } catch (error) {
    if (!(error instanceof SampleError)) throw error
    // A task that ends its process must not cost the others.
    if (touch) return loadSide(plan, cells, { signal, budget })
    // A side that cannot be loaded for another reason fails when it is measured.
    return { cell, cells, urls: [], lack: explainMissing(error.message, side, plan), failure: error.message }
  }
}

/**
 * Explains a file that a side lacks although the working tree has it: ignored by git, or in a submodule.
 *
 * @param {string} message  Error of a side that cannot be loaded.
 * @param {Side} side
 * @param {SidedPlan} plan
 * @returns {string | undefined} a sentence about the side; undefined where the message names no such file
 */
export function explainMissing (message, side, { sides, of: { gate: { root, baseRef } } }) {
  const { folder } = sides[side]
  const named = [...message.matchAll(/(?:file:\/\/)?(\/[^'"\s]+|[A-Za-z]:\\[^'"\s]+)/g)].map(([, file]) =>
    file.replace(/(:\d+)*[:,;.)]*$/, '')
  )
  const inside = named.map(file => path.relative(folder, file)).filter(file => file && !file.startsWith('..'))
  const lacking = inside.find(file => !existsSync(path.join(folder, file)))
  if (lacking === undefined) return undefined
  const submodule = submoduleOf(root, lacking)
  if (submodule) {
    return (
      `it lacks ${lacking}: the submodule ${submodule} is not here as this side needs it (git submodule ` +
      'update --init)'
    )
  }
  const isThere = existsSync(path.join(root, lacking))
  if (isIgnored(root, lacking)) return `it lacks ${lacking}, which git ignores: ${REMEDY}`
  if (isThere) return `it lacks ${lacking}, which is not in ${side === 'head' ? 'git' : baseRef}`
  return `it lacks ${lacking}, as the working tree does: ${REMEDY}, if a command makes it`
}

/**
 * @param {string} root
 * @param {string} file
 */
function isIgnored (root, file) {
  return !file.split(path.sep).includes(PACKAGES) && askGit(root, ['check-ignore', '--', file]) !== ''
}

/**
 * @param {string} root
 * @param {string} file
 * @returns {string | undefined}
 */
function submoduleOf (root, file) {
  const listed = askGit(root, ['ls-files', '--stage'])
  const submodules = [...listed.matchAll(/^160000 \S+ \d\t(.+)$/gm)].map(([, name]) => name)
  return submodules.find(name => file.startsWith(name + path.sep))
}
