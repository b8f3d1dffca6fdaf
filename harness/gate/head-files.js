/**
 * Benchmark files that differ between base and head. A gate is about the code, so both sides run the head's files where
 * the base can run them. Elsewhere each side runs its own, and a task whose text differs is not the same one.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { groupBy } from '../model/group-by.js'
import { rowOf } from '../plan/rows.js'

/** @import { ComparisonRecord } from '../judge/compare.js' */
/** @import { Cell } from '../model/cell.js' */
/** @import { SidedPlan } from '../plan/plan.js' */
/** @import { Loaded } from './survey.js' */

const FOLDER_OF_BENCHMARKS = /^_*(bench|benches|benchmarks?|perf|performance)_*$/i
/** Modules in such a folder may be the code that is gated: each side runs its own. */
const MODULE = /\.([cm]?[jt]sx?|json5?|node|wasm)$/i
const DATA = /\.json5?$/i
const MANIFESTS = /^(package|package-lock|npm-shrinkwrap|tsconfig.*)\.json$/
/** Statements that bring the code that is gated. */
const IMPORTS =
  /^import\b[^'"]*(['"])[^'"]*\1.*$|^(?:const|let|var)\s[^=;]*=\s*(?:require|await\s+import)\([^)]*\).*$/gm
/** Files named in a sentence. */
const MOST_NAMES = 2

/**
 * @typedef {object} GivenFiles
 * @property {Loaded[]} loaded  Sides with the files that they run now.
 * @property {ComparisonRecord['unmatched']} unrunnable  New tasks that the base cannot run.
 * @property {{scenario: string, queue: string}[]} unlike  Tasks of both sides whose text differs.
 * @property {string[]} shared  Sentences on files that both sides run, and on modules next to those files.
 * @property {string[]} unmeasured  Sentences on tasks that differ.
 *
 * @typedef {{base: Loaded, head: Loaded}} SidePair  Sides of a scenario.
 *
 * @typedef {object} FileTrial  Of a file that differs.
 * @property {string} file
 * @property {ReturnType<typeof changedIn>[]} scenarios
 * @property {string} [refusal]  Reason why the base cannot run the head's file.
 */

/**
 * @param {SidedPlan} plan
 * @param {Loaded[]} own  Sides with their own files.
 * @param {object} options
 * @param {string[]} options.changed  Files that differ between base and head, relative to the root.
 * @param {(cells: Cell[]) => Promise<Loaded[]>} options.load  Loads the file of each cell, and tries its task.
 * @returns {Promise<GivenFiles>}
 */
export async function giveHeadsFiles (plan, own, { changed, load }) {
  const { baseRef } = plan.gate
  const differing = differingIn(plan, own, changed)
  const files = [...differing.keys()]
  const { data, modules } = beside(files, changed)
  const notes = modules.length > 0 ? [`${namesOf(modules)} differs, and each side ran its own`] : []
  if (files.length === 0) return { loaded: own, unrunnable: [], unlike: [], shared: notes, unmeasured: [] }
  const restore = takeOver(plan.sides, [...files, ...data])
  /** @type {FileTrial[]} */
  const trials = [...differing].map(([file, pairs]) => ({
    file,
    scenarios: pairs.map(pair => changedIn(plan, file, pair))
  }))
  const found = await tryOut(trials, load, data.length > 0)
  const taken = trials.filter(({ refusal }) => !refusal)
  const refused = trials.filter(({ refusal }) => refusal)
  const filesOf = (/** @type {FileTrial[]} */ trials) => trials.map(({ file }) => file)
  restore(data.length > 0 && refused.length > 0 ? [...files, ...data] : filesOf(refused))
  const bases = taken.flatMap(({ scenarios }) => scenarios).map(({ pair, added, tried }) => {
    const now = tried.flatMap(({ id, side }) => (side === 'base' ? (found.get(id) ?? []) : []))
    return { before: pair.base, now, added: now.filter(({ cell }) => added.includes(cell.queue)) }
  })
  const runs = new Map(
    bases.map(({ before, now }) => [before, { ...(now.find(({ tasks }) => tasks) ?? now[0]), cell: before.cell }])
  )
  const names = namesOf([...filesOf(taken), ...data])
  return {
    loaded: own.map(loaded => runs.get(loaded) ?? loaded),
    unrunnable: bases.flatMap(({ added }) => added).flatMap(loaded => {
      const failure = failureOf(loaded)
      return failure ? { ...rowOf(loaded.cell), reason: `${baseRef} cannot run it: ${failure}` } : []
    }),
    unlike: refused.flatMap(unlikeIn),
    shared:
      taken.length === 0 ? notes : [...notes, `both sides ran the head's ${names}, so changes in it were not compared`],
    unmeasured: refused.flatMap(trial => {
      const tasks = unlikeIn(trial).map(({ queue }) => queue)
      return tasks.length > 0
        ? `${namesOf(tasks)} in ${trial.file} differs from ${baseRef}, which cannot run the head's: ${trial.refusal}`
        : []
    })
  }
}

/**
 * Runs the head's files on both sides, and notes why the base cannot run one. Files that share data are all taken, or
 * none of them.
 *
 * @param {FileTrial[]} trials
 * @param {(cells: Cell[]) => Promise<Loaded[]>} load
 * @param {boolean} shareData
 * @returns {Promise<Map<string, Loaded>>} by cell
 */
async function tryOut (trials, load, shareData) {
  const tried = await load(trials.flatMap(({ scenarios }) => scenarios.flatMap(({ tried }) => tried)))
  const found = new Map(tried.map(loaded => [loaded.cell.id, loaded]))
  for (const trial of trials) trial.refusal = refusalIn(trial.scenarios, found)
  const refusal = trials.find(({ refusal }) => refusal)?.refusal
  if (shareData) for (const trial of trials) trial.refusal ??= refusal
  return found
}

/** @param {FileTrial} trial */
const unlikeIn = ({ scenarios }) =>
  scenarios.flatMap(({ pair, kept }) => kept.map(queue => ({ scenario: pair.head.cell.scenario, queue })))

/** @param {string[]} names */
export const namesOf = names =>
  names.length > MOST_NAMES
    ? `${names.slice(0, MOST_NAMES).join(', ')} and ${names.length - MOST_NAMES} more`
    : names.join(' and ')

/** @param {string} file */
export const posixOf = file => file.split(path.sep).join('/')

/** @param {Partial<Loaded>} loaded */
const failureOf = ({ fault, lack, taskFault, failure }) => fault ?? lack ?? taskFault ?? failure

/**
 * @param {Loaded[]} loaded
 * @returns {SidePair[]} of each scenario, unless it is loaded on one side only
 */
export function pairsOf (loaded) {
  return [...groupBy(loaded, ({ cell }) => cell.scenario).values()].flatMap(own => {
    const [base, head] = ['base', 'head'].map(side => own.find(({ cell }) => cell.side === side))
    return base && head ? [{ base, head }] : []
  })
}

/**
 * Files that differ, with their scenarios. A head that fails is reported as it is.
 *
 * @param {SidedPlan} plan
 * @param {Loaded[]} own
 * @param {string[]} changed
 * @returns {Map<string, SidePair[]>}
 */
function differingIn ({ scenarios }, own, changed) {
  const fileOf = new Map(
    scenarios.flatMap(({ name, kind, file = '' }) => (kind === 'code' ? [[name, posixOf(file)]] : []))
  )
  const fileIn = (/** @type {SidePair} */ { head }) => fileOf.get(head.cell.scenario) ?? ''
  return groupBy(
    pairsOf(own).filter(pair => changed.includes(fileIn(pair)) && !failureOf(pair.head)),
    fileIn
  )
}

/**
 * Changed files in folders that hold benchmarks alone, by their names.
 *
 * @param {string[]} files
 * @param {string[]} changed
 */
function beside (files, changed) {
  const folders = files.flatMap(file => {
    const names = file.split('/').slice(0, -1)
    const last = names.findLastIndex(name => FOLDER_OF_BENCHMARKS.test(name))
    return last === -1 ? [] : `${names.slice(0, last + 1).join('/')}/`
  })
  const others = changed.filter(file => !files.includes(file) && folders.some(folder => file.startsWith(folder)))
  const isData = (/** @type {string} */ file) =>
    (!MODULE.test(file) || DATA.test(file)) && !MANIFESTS.test(path.posix.basename(file))
  return { data: others.filter(isData), modules: others.filter(file => MODULE.test(file) && !DATA.test(file)) }
}

/**
 * Gives the base and its control the head's files.
 *
 * @param {SidedPlan['sides']} sides
 * @param {string[]} files
 * @returns {(files: string[]) => void} gives them their own again
 */
function takeOver (sides, files) {
  const [base, head, control] = [sides.base, sides.head, sides.control].map(({ folder }) => folder)
  const kept = keptIn(base)
  const copy = (/** @type {string} */ from, /** @type {string} */ to, /** @type {string[]} */ names) => {
    for (const name of names) {
      const [source, target] = [from, to].map(folder => path.join(folder, name))
      mkdirSync(path.dirname(target), { recursive: true })
      rmSync(target, { force: true })
      if (existsSync(source)) copyFileSync(source, target)
    }
  }
  copy(base, kept, files)
  for (const side of [base, control]) copy(head, side, files)
  return refused => {
    for (const side of [base, control]) copy(kept, side, refused)
    rmSync(kept, { recursive: true, force: true })
  }
}

/**
 * Folder for the base's own files, while it has the head's.
 *
 * @param {string} base
 */
const keptIn = base => `${base}-files`

/**
 * Tasks of a scenario whose text is another one in the head, and cells that try them.
 *
 * @param {SidedPlan} plan
 * @param {string} file
 * @param {SidePair} pair
 */
function changedIn ({ sides, cells }, file, pair) {
  const [before, after] = [keptIn(sides.base.folder), sides.head.folder].map(folder =>
    readFileSync(path.join(folder, file), 'utf8')
  )
  const own = cells.filter(({ scenario }) => scenario === pair.head.cell.scenario)
  const names = [...new Set(own.map(({ queue }) => queue))]
  const known = pair.base.tasks ?? names
  const changed = changedTasks([before, after], [known, pair.head.tasks ?? names])
  const other = names.filter(name => changed.includes(name) || !known.includes(name))
  const isTried = (/** @type {Cell} */ { queue, side }) =>
    side !== 'control' && (other.includes(queue) || (side === 'base' && queue === own[0].queue))
  const tried = new Map(own.filter(isTried).map(cell => [`${cell.queue}\0${cell.side}`, cell]))
  return {
    pair,
    added: names.filter(name => !known.includes(name)),
    kept: other.filter(name => known.includes(name)),
    tried: [...tried.values()]
  }
}

/**
 * The reason why the base cannot run the head's file. A task that fails in the head, too, says nothing about the base.
 *
 * @param {ReturnType<typeof changedIn>[]} scenarios
 * @param {Map<string, Loaded>} found  Loaded files, by cell.
 */
function refusalIn (scenarios, found) {
  for (const { pair, added, tried } of scenarios) {
    const loads = tried.flatMap(({ id }) => found.get(id) ?? [])
    const ofSide = (/** @type {string} */ side) => loads.filter(({ cell }) => cell.side === side)
    const bases = ofSide('base')
    const isLoaded = pair.head.tasks === undefined || bases.some(({ tasks }) => tasks)
    const isExcused = (/** @type {Loaded} */ { fault, cell }) =>
      fault === undefined &&
      ((isLoaded && added.includes(cell.queue)) ||
        ofSide('head').some(head => head.cell.queue === cell.queue && failureOf(head)))
    const reason = bases.filter(base => !isExcused(base)).map(failureOf).find(Boolean)
    if (reason) return reason
    const lost = pair.head.tasks?.find(task => !bases.find(({ tasks }) => tasks)?.tasks?.includes(task))
    if (lost !== undefined) return `it has no task "${lost}" there`
  }
}

/**
 * Tasks of both files whose calls differ; all tasks if code other than calls and imports differs, as it may prepare
 * inputs.
 *
 * @param {[string, string]} sources
 * @param {[string[], string[]]} names
 * @returns {string[]}
 */
function changedTasks ([before, after], [known, named]) {
  const both = known.filter(name => named.includes(name))
  const [own, other] = [callsIn(before, known), callsIn(after, named)]
  if (own.rest !== other.rest) return both
  return both.filter(name => !own.calls.get(name) || own.calls.get(name) !== other.calls.get(name))
}

/**
 * @param {string} source
 * @param {string[]} names
 */
function callsIn (source, names) {
  const spans = names.flatMap(name => {
    const span = spanOf(source, name)
    return span ? [{ name, ...span }] : []
  })
  const calls = new Map(spans.map(({ name, from, to }) => [name, source.slice(from, to)]))
  const rest = spans
    .sort((a, b) => b.from - a.from)
    .reduce((text, { from, to }) => text.slice(0, from) + text.slice(Math.max(from, to)), source)
  const lines = rest.replace(IMPORTS, '').split('\n').map(line => line.trim().replace(/;$/, ''))
  return { calls, rest: [...new Set(lines.filter(Boolean))].sort().join('\n') }
}

/**
 * The call that registers a task: bench.add('name', ...).
 *
 * @param {string} source
 * @param {string} name
 * @returns {{from: number, to: number} | undefined}
 */
function spanOf (source, name) {
  const at = ["'", '"', '`'].map(quote => source.indexOf(quote + name + quote)).find(index => index !== -1) ?? -1
  const [callee] = /[\w$.]+\s*\(\s*$/.exec(source.slice(0, Math.max(0, at))) ?? []
  if (callee === undefined) return undefined
  const from = at - callee.length
  // Strings and comments are passed over whole.
  const part = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\/\/.*|\/\*[^]*?\*\/|[([{]|[)\]}]/g
  part.lastIndex = source.indexOf('(', from)
  let depth = 0
  for (let found = part.exec(source); found; found = part.exec(source)) {
    if ('([{'.includes(found[0])) depth++
    else if (')]}'.includes(found[0]) && --depth === 0) return { from, to: part.lastIndex }
  }
}
