/**
 * The modules that each side of a gate loads, before anything is measured: does it run its own copy of the code, which
 * tasks does its benchmark file have, and which file does it lack?
 */
import { existsSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import pMap from 'p-map'
import { lookUp } from '../measure/look-up.js'
import { describedOrNot, modulesOf } from '../measure/modules/user-modules.js'
import { takeSamples } from '../measure/measure.js'
import { SampleError, SideError } from '../model/errors.js'
import { groupBy } from '../model/group-by.js'
import { rowOf } from '../plan/rows.js'
import { isChosenTask } from '../formats/choose-tasks.js'
import { askGit } from '../processes/git.js'
import { Budget } from '../run/budget.js'
import { tryOutProgram } from '../run/run.js'
import { giveHeadsFiles, namesOf, pairsOf, posixOf } from './head-files.js'
import { linkedFromOutside } from './packages.js'
import { describeOutside } from './shared-code.js'
import { findForeign, findOutside, foldersOfCode, PACKAGES } from './sides.js'
/** @import { ComparisonRecord } from '../judge/compare.js' */
/** @import { Cell, Side } from '../model/cell.js' */
/** @import { SidedPlan } from '../plan/plan.js' */
/** @import { Sample } from '../store/results.js' */
/** @import { Found, Prepared } from './gate.js' */
/** @import { SidePair } from './head-files.js' */

/**
 * @typedef {object} Loaded
 * @property {Cell} cell
 * @property {string[]} urls  Modules of the side.
 * @property {string[]} [preloaded]  Modules that NODE_OPTIONS loads before, for example.
 * @property {unknown} [accuracy]  Accuracy that it declares.
 * @property {string} [lack]  File that it lacks, in words.
 * @property {string[]} [tasks]  Tasks of the benchmark file, in the cell's group.
 * @property {string} [fault]  Error of the benchmark file, and its place: tasks may be missing.
 * @property {string} [taskFault]  Error of the cell's task.
 * @property {string} [failure]  Reason why nothing was loaded.
 *
 * @typedef {object} Survey
 * @property {string[]} warnings
 * @property {ComparisonRecord['unmatched']} unmatched  Tasks that only one side has, or can run.
 * @property {Sample[]} failed  Samples of the cells that lack a file, run the code of another side, or belong to a file
 *   with an error.
 * @property {string[]} outside  Loaded files outside of the repository, which both sides run.
 * @property {SidedPlan['gate']['unlike']} unlike
 * @property {string[]} shared  Sentences on files that both sides run.
 * @property {string[]} unmeasured  Sentences on tasks that are lost, or not the same.
 */

const AT_ONCE = { concurrency: os.availableParallelism() }
/** timerq's own modules. */
const OWN = fileURLToPath(new URL('../../', import.meta.url))
const REMEDY = 'make it in each side, for example by --prepare "npm run build"'

/**
 * Loads the code of both sides, or starts a program.
 *
 * @param {Prepared} prepared
 * @returns {Promise<Found>}
 */
export async function surveyCode ({ plan, signal, startedMs, changed }) {
  const { gate, settings } = plan
  if (settings.program) {
    const found = await tryOutProgram(plan, signal).catch(explainIn(plan))
    const program = { ...settings.program, ...found }
    return {
      plan: { ...plan, settings: { ...settings, program } },
      gate: describeOutside(linkedFromOutside(gate.root, foldersOfCode(plan)), gate)
    }
  }
  const budget = new Budget(gate.budgetSeconds, { startedMs })
  const { failed, outside, ...part } = await surveySides(plan, { changed, signal, budget })
  const { unmeasured, shared } = describeOutside(outside, gate)
  return {
    failed,
    gate: { ...part, unmeasured: [...part.unmeasured, ...unmeasured], shared: [...part.shared, ...shared] }
  }
}

/**
 * Names a file that a side of the program lacks.
 *
 * @type {(plan: SidedPlan) => (error: Error) => never}
 */
const explainIn = plan => error => {
  if (!(error instanceof SideError)) throw error
  const { side, reason } = error
  const lack = explainMissing(reason, /** @type {Side} */ (side), plan)
  throw lack ? new SideError(side, lack) : error
}

/**
 * @param {SidedPlan} plan
 * @param {object} [options]
 * @param {string[]} [options.changed]  Files that differ between base and head, relative to the root.
 * @param {AbortSignal} [options.signal]
 * @param {Budget} [options.budget]
 * @returns {Promise<Survey>}
 */
export async function surveySides (plan, { changed = [], ...options } = {}) {
  const cells = plan.cells.filter(({ side }) => side !== 'control')
  const benchmarks = new Set(plan.scenarios.filter(({ benchmark }) => benchmark).map(({ name }) => name))
  // A benchmark file is loaded once for all of its tasks.
  const copies = groupBy(cells, ({ scenario, queue, side }) =>
    JSON.stringify(benchmarks.has(scenario) ? [scenario, side] : [scenario, queue, side])
  )
  const load = (/** @type {Cell[]} */ cells) =>
    pMap(cells, cell => loadSide(plan, cell, options), AT_ONCE)
  const own = await load([...copies.values()].map(([cell]) => cell))
  const lost = await findLost(plan, changed, options)
  const { loaded, unrunnable, ...given } = await giveHeadsFiles(plan, own, { changed, load })
  const failed = [...copies.values()].map((own, i) => failIfFaulty(own, loaded[i]))
  const urls = loaded.flatMap(({ urls }) => urls)
  const lostTasks = pairsOf(own).flatMap(pair => tasksOnlyIn('base', pair, plan))
  const lostNames = [...lost.flatMap(({ names }) => names), ...lostTasks.map(({ queue }) => queue)]
  return {
    warnings: [...groupBy(loaded, ({ cell }) => cell.queue)].flatMap(([queue, own]) => describeAccuracy(queue, own)),
    unmatched: [
      ...pairsOf(loaded).flatMap(pair => tasksOnlyIn('head', pair, plan)),
      ...unrunnable,
      ...lost.flatMap(({ rows }) => rows),
      ...lostTasks
    ],
    failed: (await Promise.all(failed)).flat(),
    outside: findOutside(urls, path.dirname(plan.sides.head.folder), plan.gate.root).filter(
      file => !file.startsWith(OWN)
    ),
    unlike: given.unlike,
    shared: given.shared,
    unmeasured: [
      ...(lostNames.length > 0 ? [`the head lacks ${namesOf(lostNames)} of ${plan.gate.baseRef}`] : []),
      ...given.unmeasured
    ]
  }
}

/**
 * Tasks of the base's files that the head lacks: of files that are gone, and groups that only the base's own file has.
 *
 * @param {SidedPlan} plan  Knows the head's groups.
 * @param {string[]} changed
 * @param {{signal?: AbortSignal, budget?: Budget}} options
 * @returns {Promise<{names: string[], rows: ComparisonRecord['unmatched']}[]>} `names`: of tasks, or of the file
 */
async function findLost (plan, changed, { signal, budget }) {
  const { sides, scenarios, queues, cells, runtimes: [runtime], settings, gate: { baseRef, gone = [] } } = plan
  const { folder, cwd } = sides.base
  const differing = scenarios.filter(
    ({ name, benchmark, file = '' }) =>
      benchmark && changed.includes(posixOf(file)) && cells.some(({ scenario }) => scenario === name)
  )
  const files = [
    ...gone.flatMap(({ file, now }) => (now === undefined ? [{ file, own: [] }] : [])),
    ...[...groupBy(differing, ({ file }) => String(file))].map(([file, own]) => ({ file, own }))
  ]
  return pMap(files, async ({ file, own }) => {
    const options = { runtime: { ...runtime, cwd }, signal, budgetSeconds: budget?.secondsLeft }
    const url = pathToFileURL(path.join(folder, file)).href
    // A file with a fault had something to measure.
    const { descriptions } = await describedOrNot(url, options).catch(() => ({ descriptions: [] }))
    // Groups without a name are numbered: a task that the head has in another group is not lost.
    const isHeads = (/** @type {string} */ task) =>
      queues.some(queue => queue.name === task && own.some(({ name }) => queue.scenarios?.includes(name)))
    const rows = (descriptions ?? []).flatMap(({ name, tasks = [name], benchmark: { group = '' } = {} }) =>
      own.some(({ benchmark }) => benchmark?.group === group)
        ? []
        : tasks
          .filter(task => !isHeads(task) && isChosenTask(settings.task, { group, task }))
          .map(queue => ({
            ...{ scenario: name, params: {}, queue, runtime: runtime.name },
            reason: `only ${baseRef} has ${own.length === 0 ? file : 'this task'}`
          }))
    )
    const isFileLost = own.length === 0 && (rows.length > 0 || descriptions?.length === 0)
    return { names: isFileLost ? [file] : rows.map(({ queue }) => queue), rows }
  }, AT_ONCE)
}

/**
 * Chosen tasks of a benchmark file that only one side has, in a group that both have.
 *
 * @param {'base' | 'head'} side
 * @param {SidePair} pair
 * @param {SidedPlan} plan
 * @returns {ComparisonRecord['unmatched']}
 */
function tasksOnlyIn (side, { base, head }, { queues, scenarios, settings, gate: { baseRef } }) {
  const { tasks: before } = base
  const { tasks: after } = head
  if (!before || !after) return []
  const { scenario } = base.cell
  const { group = '' } = scenarios.find(({ name }) => name === scenario)?.benchmark ?? {}
  const chosen = queues.filter(queue => queue.scenarios?.includes(scenario)).map(({ name }) => name)
  const [tasks, reason] =
    side === 'head'
      ? [chosen.filter(task => !before.includes(task)), `${baseRef} has no such task`]
      : [
          before.filter(task => !after.includes(task) && isChosenTask(settings.task, { group, task })),
          `only ${baseRef} has this task`
        ]
  return tasks.map(queue => ({ ...rowOf({ ...base.cell, queue }), reason }))
}

/**
 * @param {SidedPlan} plan
 * @param {Cell} cell
 * @param {{signal?: AbortSignal, budget?: Budget}} options
 * @returns {Promise<Loaded>}
 */
async function loadSide (plan, cell, { signal, budget }) {
  const { microJob, queue, runtime } = lookUp(plan, cell)
  const side = /** @type {Side} */ (cell.side)
  // A server file is gated on Node's own timers.
  const job = { ...microJob, isServer: queue.origin === 'built-in' }
  try {
    const reply = await modulesOf(job, runtime, { signal, budgetSeconds: budget?.secondsLeft })
    const { urls, preloaded = [], taskFault } = reply
    const foreign = findForeign([...urls, ...preloaded], plan.sides[side].folder, plan.gate.root)
    const lack = foreign
      ? `it runs ${foreign}, which is not its own copy of that file`
      : taskFault && explainMissing(taskFault, side, plan)
    return { cell, ...reply, ...(lack && { lack }) }
  } catch (error) {
    if (!(error instanceof SampleError)) throw error
    // A side that cannot be loaded for another reason fails when it is measured.
    return { cell, urls: [], lack: explainMissing(error.message, side, plan), failure: error.message }
  }
}

/** @type {(cells: Cell[], loaded: Loaded) => Promise<Sample[]>} */
async function failIfFaulty (cells, { fault, lack }) {
  const reason = lack ?? fault
  if (reason === undefined) return []
  const failure = new SampleError('wrong', reason)
  return takeSamples({ kind: 'count', cells, round: 0, id: '' }, async () => cells.map(() => failure))
}

/**
 * A queue that promises less may do less: its firings are not compared with the model's.
 *
 * @param {string} queue
 * @param {Loaded[]} loaded
 */
function describeAccuracy (queue, loaded) {
  const [before, after] = ['base', 'head'].map(side =>
    JSON.stringify(loaded.find(({ cell }) => cell.side === side)?.accuracy)
  )
  if (before === after || before === undefined || after === undefined) return []
  return [
    `${queue} declares another accuracy than its base, ${after} instead of ${before}: the firings of both were not ` +
      'compared with the model; see timerq check'
  ]
}

/**
 * Explains a file that a side lacks although the working tree has it: ignored by git, or in a submodule.
 *
 * @param {string} message  Error of a side that cannot be loaded.
 * @param {Side} side
 * @param {SidedPlan} plan
 * @returns {string | undefined} a sentence about the side; undefined where the message names no such file
 */
export function explainMissing (message, side, { sides, gate: { root, baseRef } }) {
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
