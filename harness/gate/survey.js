/**
 * The modules that each side of a gate loads, before anything is measured: does it run its own copy of the code, which
 * tasks does its benchmark file have, which file does it lack, and which change does nothing load?
 */
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import pMap from 'p-map'
import { median } from 'simple-statistics'
import { lookUp } from '../measure/look-up.js'
import { hasTransformed, keepFiles } from '../measure/modules/kept.js'
import { takeSamples } from '../measure/measure.js'
import { SampleError, SideError } from '../model/errors.js'
import { groupBy } from '../model/group-by.js'
import { describeCell } from '../model/numbers.js'
import { shellQuoted } from '../model/text.js'
import { rowOf } from '../plan/rows.js'
import { isChosenTask } from '../formats/choose-tasks.js'
import { askGit, namesIn } from '../processes/git.js'
import { Budget } from '../run/budget.js'
import { tryOutProgram } from '../run/run.js'
import { giveHeadsFiles } from './benchmark-files.js'
import { contentOf, linkedFromOutside } from './differences.js'
import { describeOutside } from './shared-code.js'
import { AT_ONCE, copiesOf, explainMissing, failureOf, loadSide, sideFilesAmong } from './load-side.js'
import { namesOf, PACKAGES } from './paths.js'
import { foldersOfCode, straysAmong } from './sides.js'
import { findTouched } from './touched.js'
/** @import { ComparisonRecord } from '../judge/records.js' */
/** @import { Cell, CellPlace, Side } from '../model/cell.js' */
/** @import { Sample } from '../store/results.js' */
/** @import { Difference } from './differences.js' */
/** @import { Loaded, LoadOptions } from './load-side.js' */
/** @import { SidedPlan } from './gate-plan.js' */
/** @import { Found, Prepared } from './gate.js' */

/**
 * @typedef {object} Survey
 * @property {string[]} warnings
 * @property {ComparisonRecord['unmatched']} unmatched  Tasks that only one side has, or can run.
 * @property {Sample[]} failed  Samples of the cells that lack a file, run the code of another side, or belong to a file
 *   with an error.
 * @property {string[]} outside  Loaded files outside of the repository, which both sides run.
 * @property {string[]} shared  Sentences on files that both sides run.
 * @property {string[]} unmeasured  Sentences on changes that no row shows.
 * @property {string[]} unrun  Changed functions and modules that no task runs.
 * @property {CellPlace[]} [untouched]  Rows that run nothing that has changed.
 * @property {ComparisonRecord['touched']} [touched]
 * @property {number} [loadSeconds]  CPU time until a file is read.
 */

/** timerq's own modules. */
const OWN = fileURLToPath(new URL('../../', import.meta.url))

/**
 * Loads the code of both sides, or starts a program.
 *
 * @param {Prepared} prepared
 * @returns {Promise<Found>}
 */
export async function surveyCode ({ plan, signal, startedMs, onRead, differences }) {
  const { gate, program: planned } = plan.of
  const linked = () => linkedFromOutside(gate.root, foldersOfCode(plan))
  if (planned) {
    const found = await tryOutProgram(plan, signal).catch(explainIn(plan))
    const program = { ...planned, ...found }
    return {
      plan: { ...plan, of: { ...plan.of, program } },
      gate: describeOutside(linked(), gate)
    }
  }
  const budget = new Budget(gate.budgetSeconds, { startedMs })
  const { failed, outside, ...part } = await surveySides(plan, differences, { signal, budget, onRead })
  // What was not loaded may use any link.
  const { unmeasured, shared } = describeOutside(part.touched?.rows === 0 ? [...outside, ...linked()] : outside, gate)
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
 * Loads the head of every file, and the base where a row may be touched.
 *
 * @param {SidedPlan} plan
 * @param {Difference[]} differences  Files that differ between base and head.
 * @param {LoadOptions} [options]
 * @returns {Promise<Survey>}
 */
export async function surveySides (plan, differences, options = {}) {
  const names = differences.map(({ file }) => file)
  const { given, edited, modules, differing, lost } = await giveHeadsFiles(plan, names, options)
  const left = differences.filter(({ file }) => !given.includes(file))
  const load = (/** @type {Cell[][]} */ copies) => pMap(copies, own => loadSide(plan, own, options), AT_ONCE)
  const keep = (/** @type {Cell[][]} */ copies) =>
    keepFiles(copies.map(([cell]) => lookUp(plan, cell).microJob.scenarioUrl))
  const { heads, isTouched, slow = [], ...touch } = await findTouched(plan, left, { given, load, keep, options })
  const [ofBase, ofControl] = /** @type {const} */ (['base', 'control']).map(side =>
    copiesOf(plan, side).filter(own => own.some(isTouched))
  )
  keep([...ofBase, ...ofControl])
  // The control is the base: it is only loaded so that its modules are transformed before heats.
  const [bases] = await Promise.all([load(ofBase), load(hasTransformed() ? ofControl.slice(0, 1) : [])])
  const loaded = [...heads, ...bases]
  const unrunnable = await findUnrunnable(plan, { cells: plan.cells.filter(isTouched), differing, load })
  // Where both sides fail in the head's file, the head is to blame.
  const failing = loaded.filter(
    ({ cell, isForeign }) => isForeign || cell.side === 'head' || !differing.has(cell.scenario)
  )
  const failed = await Promise.all(failing.map(failIfFaulty))
  const urls = loaded.flatMap(({ urls }) => urls)
  const ran = sideFilesAmong(plan, urls)
  const own = modules.filter(file => ran.has(file))
  const apart = own.length > 0 ? [`${namesOf(own)} differs, and each side ran its own`] : []
  const pairs = pairsOf(plan, loaded)
  const unchanged = pairs.filter(({ scenario }) => !differing.has(scenario))
  const loads = heads.flatMap(({ loadMs }) => loadMs ?? [])
  return {
    ...touch,
    ...(loads.length > 0 && { loadSeconds: median(loads) / 1000 }),
    warnings: [
      ...touch.warnings,
      ...[...groupBy(loaded, ({ cell }) => cell.queue)].flatMap(([queue, own]) => describeAccuracy(queue, own))
    ],
    unmatched: [
      ...pairs.flatMap(pair => tasksOnlyIn('head', pair, plan)),
      ...unrunnable,
      ...lost,
      ...slow.map(one => ({ ...rowOf(one.cell), reason: `its heats need about ${one.seconds} s` })),
      ...unchanged.flatMap(pair => tasksOnlyIn('base', pair, plan))
    ],
    failed: failed.flat(),
    outside: straysAmong(urls, plan.sides.head.folder, plan.of.gate.root).outside.filter(file => !file.startsWith(OWN)),
    unmeasured: [
      ...slow.map(describeSlow),
      // Outcomes of timerq's own workloads are compared.
      ...(plan.of.gate.expect && plan.scenarios.some(({ subject }) => subject === 'task')
        ? apart.map(text => `${text}: nothing shows that both did the same work`)
        : []),
      ...unchanged.flatMap(pair => describeRenamed(pair, plan)),
      ...(touch.unrun.length > 0 ? describeCopies(urls, plan.of.gate.root) : [])
    ],
    shared: [
      ...apart,
      ...(edited.length > 0 ? [`both sides ran the head's ${namesOf(edited)}, so changes in it were not compared`] : [])
    ]
  }
}

/**
 * Tasks of the head's files that the base cannot run. A task that the head cannot run, either, says nothing about the
 * base.
 *
 * @param {SidedPlan} plan
 * @param {object} options
 * @param {Cell[]} options.cells  Those that may be touched.
 * @param {Set<string>} options.differing  Scenarios whose file is not the base's own.
 * @param {(copies: Cell[][]) => Promise<Loaded[]>} options.load
 * @returns {Promise<ComparisonRecord['unmatched']>}
 */
async function findUnrunnable ({ sides, of: { gate: { baseRef } } }, { cells, differing, load }) {
  const given = cells.filter(({ scenario }) => differing.has(scenario))
  const rows = [...groupBy(given, ({ scenario, queue }) => JSON.stringify([scenario, queue])).values()]
  const loadSides = (/** @type {Side} */ side, /** @type {Cell[][]} */ rows) =>
    load(rows.map(own => own.filter(cell => cell.side === side).slice(0, 1)))
  const bases = await loadSides('base', rows)
  const failing = rows.flatMap((own, i) => {
    const failure = bases[i].isForeign ? undefined : failureOf(bases[i])
    return failure ? [{ own, failure }] : []
  })
  const heads = await loadSides('head', failing.map(({ own }) => own))
  return failing.flatMap(({ own, failure }, i) => {
    if (failureOf(heads[i])) return []
    const reason = `${baseRef} cannot run it: ${failure}`.replaceAll(`${sides.base.folder}${path.sep}`, '')
    return own.filter(({ side }) => side === 'base').map(cell => ({ ...rowOf(cell), reason }))
  })
}

/** @typedef {{scenario: string, base: Loaded, head: Loaded}} SidePair  Sides of a scenario. */

/**
 * @param {SidedPlan} plan
 * @param {Loaded[]} loaded
 * @returns {SidePair[]} of each scenario, unless it is loaded on one side only
 */
function pairsOf ({ scenarios }, loaded) {
  return scenarios.flatMap(({ name: scenario }) => {
    const [base, head] = ['base', 'head'].map(side =>
      loaded.find(({ cell, cells }) => cell.side === side && cells.some(own => own.scenario === scenario))
    )
    return base && head ? [{ scenario, base, head }] : []
  })
}

/**
 * Chosen tasks of a benchmark file that only one side has, in a group that both have.
 *
 * @param {'base' | 'head'} side
 * @param {SidePair} pair
 * @param {SidedPlan} plan
 * @returns {ComparisonRecord['unmatched']}
 */
function tasksOnlyIn (side, { scenario, base, head }, { queues, scenarios, of: { benchmarks, gate: { baseRef } } }) {
  const described = scenarios.find(({ name }) => name === scenario)
  const [before, after] = [base, head].map(({ groups }) => groups?.get(described?.of?.group ?? ''))
  if (!before || !after) return []
  const chosen = queues.filter(queue => queue.scenarios?.includes(scenario)).map(({ name }) => name)
  const [tasks, reason] =
    side === 'head'
      ? [chosen.filter(task => !before.includes(task)), `${baseRef} has no such task`]
      : [
          before.filter(task => !after.includes(task) && isChosenTask(benchmarks?.task, described, task)),
          `only ${baseRef} has this task`
        ]
  const place = base.cells.find(cell => cell.scenario === scenario) ?? base.cell
  return tasks.map(queue => ({ ...rowOf({ ...place, queue }), reason }))
}

/** @type {(slow: {cell: Cell, seconds: number}) => string} */
const describeSlow = ({ cell, seconds }) =>
  `${describeCell(rowOf(cell))} is too slow for the budget: its heats need about ${seconds} s ` +
  `(--task ${shellQuoted(cell.queue)} --budget ${seconds}s)`

/**
 * Names of tasks that differ between the sides though their file is the same: a version or a date is in them.
 *
 * @param {SidePair} pair
 * @param {SidedPlan} plan
 * @returns {string[]}
 */
function describeRenamed ({ scenario, base, head }, { queues, scenarios }) {
  const { file } = scenarios.find(({ name }) => name === scenario) ?? {}
  const [before, after] = [base, head].map(({ groups }) => groups && [...groups].flatMap(nameTasks))
  if (!before || !after) return []
  const [lost, added] = [before.filter(name => !after.includes(name)), after.filter(name => !before.includes(name))]
  if (lost.length === 0 || added.length === 0) return []
  const isPlanned = queues.some(queue => queue.scenarios?.includes(scenario) && added.join('\n').includes(queue.name))
  const cause = isPlanned ? 'they hold something that the change changes' : 'they differ in each process'
  const names = `${lost[0]}, and ${added[0]}`
  return [`names of tasks in ${file} differ, so base and head were not compared (${names}): ${cause}`]
}

/** @type {(group: [string, string[]]) => string[]} */
const nameTasks = ([group, tasks]) => tasks.map(task => (group ? `${group} > ${task}` : task))

/**
 * Installed copies of the repository's own packages, which both sides ran.
 *
 * @param {string[]} urls
 * @param {string} root
 * @returns {string[]}
 */
function describeCopies (urls, root) {
  const manifests = namesIn(askGit(root, ['ls-files', '-z', '--', 'package.json', '*/package.json']))
  const names = new Set(manifests.flatMap(file => contentOf(path.join(root, file)).name ?? []))
  const copies = [...names].filter(name => urls.some(url => url.includes(`/${PACKAGES}/${name}/`)))
  return copies.map(
    name => `both sides ran ${PACKAGES}/${name}, an installed copy of this repository's own package (link it instead)`
  )
}

/** @type {(loaded: Loaded) => Promise<Sample[]>} */
async function failIfFaulty ({ cells, fault, lack }) {
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
