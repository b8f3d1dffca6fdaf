/**
 * Rows that a change may have touched: those whose task executes code that differs between base and head. If all code
 * that the head executes has the same text in the base, the base executes the same, and the row cannot have become
 * slower. A row counts as touched where that is not known.
 */
import { existsSync, realpathSync } from 'node:fs'
import path from 'node:path'
import pMap from 'p-map'
import { FAULTY, UNREAD } from '../formats/choose-tasks.js'
import { lookUp } from '../measure/look-up.js'
import { executedAlone } from '../measure/modules/user-modules.js'
import { SampleError } from '../model/errors.js'
import { groupBy } from '../model/group-by.js'
import { FEWEST_PAIRS } from '../model/heats.js'
import { PROCESSES_PER_HEAT, rowId, rowsOf } from '../plan/rows.js'
import { kindIn, kinds, subjectIn } from '../model/kinds.js'
import { ASIDE, changedPrograms, textIn } from './differences.js'
import { BODY, changedFunctions, ranAmong } from './functions.js'
import { AT_ONCE, copiesOf, failureOf, loadSide, sideFilesAmong } from './load-side.js'
import { namesOf } from './paths.js'
/** @import { Cell, CellPlace } from '../model/cell.js' */
/** @import { Executed, Touch } from '../subject/describe/executed.js' */
/** @import { PlannedScenario } from '../plan/plan.js' */
/** @import { Difference } from './differences.js' */
/** @import { ModuleFunction } from './functions.js' */
/** @import { SidedPlan } from './gate-plan.js' */
/** @import { Loaded, LoadOptions } from './load-side.js' */
/** @import { Survey } from './survey.js' */

/**
 * @typedef {(file: string, text: string) => ModuleFunction[] | null} Changed  Functions of a module of the head, as V8
 *   ran it, that the base does not have; null: not known.
 *
 * @typedef {object} FoundTouched
 * @property {Loaded[]} heads
 * @property {(cell: Cell) => boolean} isTouched
 * @property {{cell: Cell, seconds: number}[]} [slow]  Rows that need more time than there is.
 * @property {string[]} warnings
 */

/** Functions that a sentence names when they have no name. */
const ANONYMOUS = 'a function'

/**
 * @param {SidedPlan} plan
 * @param {Difference[]} differences
 * @param {object} loading
 * @param {string[]} loading.given  Files of the head that both sides run.
 * @param {(copies: Cell[][]) => Promise<Loaded[]>} loading.load
 * @param {(copies: Cell[][]) => void} loading.keep  Lets the next process that loads one of them transform them all.
 * @param {LoadOptions} loading.options
 * @returns {Promise<FoundTouched & Pick<Survey, 'unrun' | 'touched' | 'untouched'>>}
 */
export async function findTouched (plan, differences, { given, load, keep, options }) {
  const { sides: { base, head }, of: { gate } } = plan
  const copies = copiesOf(plan, 'head')
  const all = { isTouched: () => true, unrun: [], warnings: /** @type {string[]} */ ([]) }
  const loadAll = () => {
    keep(copies)
    return load(copies)
  }
  if (gate.measure === 'all' || gate.isSelfCheck) return { ...all, heads: await loadAll() }
  const sources = differences.flatMap(({ file, kind }) => (kind === 'module' ? file : []))
  const textsOf = (/** @type {string} */ file) => [base, head].map(({ folder }) => textIn(folder, file))
  const modules = await changedPrograms(head.folder, sources, textsOf)
  const same = sources.filter(file => !modules.includes(file))
  const unknown = differences.filter(({ kind }) => kind === 'data' || kind === 'settings')
  if (unknown.length > 0) {
    const heads = await loadAll()
    const data = unknown.filter(({ kind }) => kind === 'data')
    const files = namesOf((data.length > 0 ? data : unknown).map(({ file }) => file))
    const why = data.length > 0 ? 'may be read as data' : 'changes how modules are loaded'
    const warnings = [`${files} ${why}, so all rows are measured`]
    return { heads, ...all, unrun: unloadedOf(plan, modules, heads), warnings }
  }
  const isUnchanged = modules.length === 0 && !isBuilt(plan)
  // A file that the head changes, or that cannot be read, may lead anywhere. Servers are measured as they are.
  const isDoubtful = (/** @type {PlannedScenario} */ { kind, of, file }) =>
    of?.format === FAULTY || kinds[kind].isServer || given.includes(String(file))
  const doubtful = new Set(plan.scenarios.filter(isDoubtful).map(({ name }) => name))
  const asked = isUnchanged ? copies.filter(([{ scenario }]) => doubtful.has(scenario)) : copies
  const touch = { ...touchOf(plan, head, base), same }
  keep(asked)
  let done = 0
  const heads = await pMap(asked, async own => {
    const loaded = await loadSide(plan, own, { ...options, touch })
    options.onRead?.(++done, asked.length, 'running')
    return loaded
  }, AT_ONCE)
  const changed = await readChanged(plan, heads, options)
  /** @type {Set<string>} */
  const touched = new Set()
  /** @type {Set<string>} */
  const ran = new Set()
  // The tasks of a file run at the same time, in processes of their own.
  for (const loaded of heads) {
    for (const cell of await touchedIn(plan, loaded, { changed, ran, options })) touched.add(rowId(cell))
  }
  const rows = rowsOf(plan)
  const isUnread = plan.scenarios.every(({ of }) => of?.format === UNREAD)
  const subject = isUnread ? 'benchmark file' : subjectIn(plan.scenarios)
  const untouched = rows.filter(row => !touched.has(rowId(row)))
  return {
    heads,
    slow: heads.flatMap(loaded => slowIn(plan, loaded)).filter(({ cell }) => touched.has(rowId(cell))),
    isTouched: cell => touched.has(rowId(cell)),
    warnings: [],
    unrun: [...unloadedOf(plan, modules, heads), ...unrunOf(plan, heads, { changed, ran })],
    touched: { rows: rows.length - untouched.length, of: rows.length, subject },
    untouched
  }
}

/**
 * Rows of which the budget has no time for enough heats, with the seconds that they would take.
 *
 * @param {SidedPlan} plan
 * @param {Loaded} loaded  Head.
 */
function slowIn ({ settings: { micro: { turns } }, of: { gate: { budgetSeconds } } }, { cells, executed }) {
  return cells.flatMap((cell, i) => {
    // A turn is a cycle, at least; few more warm up.
    const seconds = Math.ceil((FEWEST_PAIRS * PROCESSES_PER_HEAT * turns * (executed?.cycleMs[i] ?? 0)) / 1000)
    return seconds > budgetSeconds ? [{ cell, seconds }] : []
  })
}

/** @param {SidedPlan} plan */
const isBuilt = ({ of: { gate: { commands = [] } } }) => commands.length > 0

/** @type {(plan: SidedPlan, side: {folder: string}, opposite: {folder: string}) => Touch} */
function touchOf ({ settings: { micro: { warmupMs, leadMs, turnMs, turns } } }, ...sides) {
  const [folder, other] = sides.map(side => realpathSync(side.folder))
  return { folder, other, runMs: warmupMs + turns * (leadMs + turnMs) }
}

/**
 * Compares the modules that the head has loaded with the base's. What a loader has transformed must be loaded in the
 * base, too.
 *
 * @param {SidedPlan} plan
 * @param {Loaded[]} heads
 * @param {LoadOptions} options
 * @returns {Promise<Changed>}
 */
async function readChanged (plan, heads, options) {
  const { base, head } = plan.sides
  /**
   * The first head with each file that a loader has transformed.
   *
   * @type {Map<string, Loaded>}
   */
  const loaders = new Map()
  for (const loaded of heads) {
    for (const { file, isPlain } of loaded.executed?.different ?? []) {
      if (!isPlain && !loaders.has(file)) loaders.set(file, loaded)
    }
  }
  const bases = await pMap(new Set(loaders.values()), ({ cell }) => {
    const cells = plan.cells.filter(({ side, scenario, queue }) =>
      side === 'base' && scenario === cell.scenario && queue === cell.queue
    )
    return loadSide(plan, cells.slice(0, 1), { ...options, touch: touchOf(plan, base, head) })
  }, AT_ONCE)
  const transformed = groupBy(bases.flatMap(({ executed }) => executed?.different ?? []), ({ file }) => file)
  /** @type {Map<string, ModuleFunction[] | null>} */
  const known = new Map()
  return (file, text) => {
    const key = `${file}\n${text}`
    const found = known.get(key)
    if (found !== undefined) return found
    const isPlain = text === textIn(head.folder, file)
    const others = isPlain ? [{ text: textIn(base.folder, file) ?? '' }] : (transformed.get(file) ?? [{ text: '' }])
    const lists = others.map(other => changedFunctions(other.text, text))
    // A list that is not known comes first.
    const [fewest] = lists.sort((a, b) => (a?.length ?? -1) - (b?.length ?? -1))
    known.set(key, fewest)
    return fewest
  }
}

/**
 * @typedef {{changed: Changed, ran: Set<string>, options: LoadOptions}} Seen  `ran`: gets the changed functions that
 *   have run.
 */

/**
 * Cells of a file whose task may execute something that has changed. The tasks of a file run one after the other in one
 * process; if one of them runs something that has changed, each runs in a process of its own.
 *
 * @param {SidedPlan} plan
 * @param {Loaded} loaded  Head.
 * @param {Seen} seen
 * @returns {Promise<Cell[]>}
 */
async function touchedIn (plan, loaded, seen) {
  const { base, head } = plan.sides
  const { cells, executed, isForeign } = loaded
  if (!executed || isForeign || failureOf(loaded) || executed.isUnseen) return cells
  const isQueue = !kindIn(plan)(loaded.cell).isCode
  const found = hitsOf(executed, seen, isQueue)
  const isOfLoading = found === null || found.some(({ name }) => name === BODY)
  if (isOfLoading || isQueue || cells.length === 1) return found === null || found.length > 0 ? cells : []
  const alone = found.length > 0 ? cells : executed.failed.map(i => cells[i])
  const each = await pMap(alone, async cell => {
    const { microJob, runtime } = lookUp(plan, cell)
    const { signal, budget } = seen.options
    const job = { ...microJob, touch: touchOf(plan, head, base) }
    const own = await executedAlone(job, runtime, { signal, budgetSeconds: budget?.secondsLeft }).catch(error => {
      if (!(error instanceof SampleError)) throw error
      return null
    })
    // What fails before it comes to the change fails in the base, too.
    const isHit = !own || own.isUnseen || hitsOf(own, seen, false)?.length !== 0
    return isHit ? [cell] : []
  }, AT_ONCE)
  return each.flat()
}

/**
 * Changed functions that have run, or whose text has become code again.
 *
 * @param {Executed} executed
 * @param {Seen} seen
 * @param {boolean} isQueue  Every changed function of a queue's modules counts.
 * @returns {ModuleFunction[] | null} null: not known
 */
function hitsOf ({ different, made }, { changed, ran }, isQueue) {
  const hits = []
  for (const { file, text, ran: offsets } of different) {
    const functions = changed(file, text)
    const found = isQueue ? functions : functions && ranAmong(text, functions, offsets)
    if (!found) return null
    const isCopied = (/** @type {ModuleFunction} */ { start, end }) => {
      const body = bodyOf(text.slice(start, end))
      return made.some(code => code.includes(body))
    }
    const copied = (functions ?? []).filter(isCopied)
    for (const one of [...found, ...copied]) ran.add(idOf(file, one))
    hits.push(...found, ...copied)
  }
  return hits
}

/** @param {string} text  Text of a function. */
const bodyOf = text => text.slice(text.indexOf('{') + 1).replace(/\}\s*$/, '').trim() || text

/** @type {(file: string, one: ModuleFunction) => string} */
const idOf = (file, { name, start, end }) => `${file} ${name} ${start} ${end}`

/**
 * Changed modules that no head has loaded.
 *
 * @param {SidedPlan} plan
 * @param {string[]} modules
 * @param {Loaded[]} heads
 */
function unloadedOf (plan, modules, heads) {
  // A head that cannot be loaded may need any file, and so may a command.
  if (isBuilt(plan) || heads.some(failureOf)) return []
  const found = sideFilesAmong(plan, heads.flatMap(({ urls }) => urls))
  return modules
    .filter(file => !found.has(file) && !ASIDE.test(file) && existsSync(path.join(plan.sides.head.folder, file)))
}

/**
 * Changed functions that no task has run, in words. A function in another one of them is not named.
 *
 * @param {SidedPlan} plan
 * @param {Loaded[]} heads
 * @param {Pick<Seen, 'changed' | 'ran'>} seen
 */
function unrunOf (plan, heads, { changed, ran }) {
  const kindOf = kindIn(plan)
  const modules = heads.flatMap(({ executed, cell }) => (executed && kindOf(cell).isCode ? executed.different : []))
  const named = modules.flatMap(({ file, text, isPlain }) => {
    const idle = (changed(file, text) ?? []).filter(one => one.name !== BODY && !ran.has(idOf(file, one)))
    const outer = idle.filter(one => !idle.some(other => other !== one && isInside(one, other)))
    return outer.map(({ name, line }) => {
      const found = isPlain ? line : lineOf(name, textIn(plan.sides.head.folder, file) ?? '')
      return `${name || ANONYMOUS} (${file}${found ? `:${found}` : ''})`
    })
  })
  return [...new Set(named)]
}

/** @type {(one: ModuleFunction, other: ModuleFunction) => boolean} */
const isInside = (one, other) => one.start >= other.start && one.end <= other.end

/**
 * @param {string} name
 * @param {string} source
 * @returns {number} 0: not found
 */
function lineOf (name, source) {
  const definition = new RegExp(`(^|\\W)${name.replace(/\W/g, '\\$&')}\\s*[(=:<]`)
  return name ? 1 + source.split('\n').findIndex(line => definition.test(line)) : 0
}
