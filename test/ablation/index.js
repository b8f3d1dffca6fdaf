#!/usr/bin/env node
/**
 * `npm run ablation`: can each feature be taken out by deleting its files and its lines in registries? A command goes
 * with its room: the folders behind it, and their lines. In a copy of the checkout, each entry of each registry goes in
 * turn. Then
 *
 *   no other file of the sources names it: by an import, an option, or a name in quotes (claims may: they are about it;
 *     a package of its name may be imported)
 *   the types pass
 *   `timerq --help` answers
 *   the core works: a micro run, an HTTP run of a second, a gate of a queue, a markdown report
 *   files that nothing reaches any more hold a tenth of the feature at most
 *
 *     npm run ablation                          all entries, in half an hour
 *     npm run ablation -- --names               only the first check, in a second, as lint runs it: prints failures
 *     npm run ablation -- --weigh               only the first and the last check, in a minute
 *     npm run ablation -- --only queue,compare  entries of some kinds, or with some names
 *     npm run ablation -- --together            all entries at once but those that the checks use, in a minute
 *
 * Prints a line an entry with the tokens that went and those that only functions of the library still need, and the
 * number of entries that pass. The exit code is 1 if one fails that is not in BASES.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { compact } from '../../harness/model/compact.js'
import { withoutEntry } from './edit.js'
import { LIBRARY, reachedIn, tokensOf } from './reach.js'
import { registries } from './registries.js'
/** @import { Registry } from './registries.js' */

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Sources that ship. Tests and pages of a feature go with it. */
const SOURCES = /^(bin|harness|queues|reports|scenarios|timers|action)\/.*\.js$/
/** A claim is about a queue and a scenario; the metric is of another garbage. */
const MAY_NAME = /^scenarios\/claims\/|^harness\/model\/metrics\.js$/
/** Entries that another feature is built on, and which. */
const BASES = new Map([
  ['binary-heap', 'bounded-wheel: its overflow'],
  ['quaternary-heap', 'searched-heap'],
  ['report', 'what a command answers, whose types are in bin/answers/index.js'],
  ['duration-lists', 'every micro scenario, as the control, and adaptive-lists'],
  ...[
    'nsPerOp',
    'workPerOp',
    'allocatedBytesPerOp',
    'cpuMicrosPerRequest',
    'workPerRequest',
    'requestsPerSecond',
    'latencyP50Ms',
    'latencyP99Ms',
    'errors',
    'rssBytes'
  ].map(metric => /** @type {[string, string]} */ ([metric, 'a verdict or an answer']))
])
const SMOKE = {
  queues: ['binary-heap', 'pairing-heap'],
  micro: ['start-cancel', 'hold'],
  http: ['keep-alive', 'idle-sockets']
}

/** Entries without which the checks check nothing. */
const CHECKED = [...BASES.keys(), ...Object.values(SMOKE).map(([first]) => first), 'run', 'gate', 'report', 'markdown']

/** Share of a feature that may be left in files that nothing reaches. */
const MOST_LEFT = 0.1

const NOT_WEIGHED = { went: 0, kept: 0, left: '', isMuch: false }

const {
  values: { only, names: namesOnly, weigh: weighOnly, together }
} = parseArgs({
  options: {
    only: { type: 'string' },
    names: { type: 'boolean' },
    weigh: { type: 'boolean' },
    together: { type: 'boolean' }
  }
})
const tracked = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n')
const sources = tracked.filter(file => SOURCES.test(file))
const texts = new Map(sources.map(file => [file, readFileSync(path.join(ROOT, file), 'utf8')]))
const reached = reachedIn(texts, LIBRARY)
const reachedByCommands = reachedIn(texts)
const copy = namesOnly || weighOnly ? ROOT : copyOf(ROOT)

if (together) {
  const entries = registries.flatMap(registry =>
    registry.names.flatMap(name => (CHECKED.includes(name) ? [] : [{ registry, name }]))
  )
  const fault = ablate(...entries)
  process.stdout.write(`${fault === null ? 'ok  ' : 'FAIL'} ${entries.length} entries at once${fault ? `: ${fault}` : ''}\n`)
  rmSync(copy, { recursive: true })
  process.exit(fault === null ? 0 : 1)
}

let [passed, all] = [0, 0]
const chosen = only?.split(',')
for (const registry of registries) {
  const isChosen = (/** @type {string} */ name) => !chosen || chosen.includes(registry.kind) || chosen.includes(name)
  for (const name of registry.names.filter(isChosen)) {
    const { went, kept, left, isMuch } = namesOnly ? NOT_WEIGHED : weigh({ registry, name })
    const fault = namerOf(registry, name) ??
      (namesOnly || weighOnly ? null : ablate({ registry, name })) ??
      (isMuch ? left : null)
    all++
    if (fault === null) passed++
    else if (!BASES.has(name)) process.exitCode = 1
    if (namesOnly && (fault === null || BASES.has(name))) continue
    const why = compact(fault, BASES.get(name)).map(text => `: ${text}`).join('; part of')
    const weighed = compact(`${went} tokens`, kept > 0 && `${kept} that only the library keeps`, !isMuch && left)
    process.stdout.write(`${fault ? 'FAIL' : 'ok  '} ${registry.kind} ${name}, ${weighed.join(', ')}${why}\n`)
  }
}
process.stdout.write(`${passed} of ${all} entries can be taken out by deleting their files and their line\n`)
if (copy !== ROOT) rmSync(copy, { recursive: true })

/**
 * @param {Registry} registry
 * @param {string} name
 * @returns {string | null} another file that names the entry
 */
function namerOf ({ file, filesOf, linesOf = () => [], known = /./ }, name) {
  const own = filesOf(name)
  const registered = [file, ...linesOf(name).map(line => line.file)]
  const isOwn = (/** @type {string} */ source) => own.some(one => source === one || source.startsWith(`${one}/`))
  const namer = sources.find(source => {
    if (isOwn(source) || registered.includes(source) || MAY_NAME.test(source)) return false
    const text = /** @type {string} */ (texts.get(source)).replace(/\/\*[^]*?\*\/|\/\/ .*|from '[^.'].*/g, '')
    const imported = [...text.matchAll(/'(\.[^']+)'/g)].map(([, url]) => path.join(path.dirname(source), url))
    return imported.some(isOwn) || (known.test(source) && text.includes(`'${name}'`))
  })
  return namer ? `named by ${namer}` : null
}

/**
 * Sources as they are without some entries.
 *
 * @param {{registry: Registry, name: string}[]} entries
 * @returns {Map<string, string | null>} new texts of changed files; null: the file goes
 */
function editsOf (entries) {
  /** @type {Map<string, string | null>} */
  const edits = new Map()
  for (const { registry: { file, within, filesOf, linesOf = () => [] }, name } of entries) {
    for (const line of [{ file, name, within }, ...linesOf(name)]) {
      const text = edits.get(line.file) ?? /** @type {string} */ (texts.get(line.file))
      edits.set(line.file, withoutEntry(text, line.name, line.within))
    }
    for (const one of filesOf(name)) {
      for (const source of sources) if (source === one || source.startsWith(`${one}/`)) edits.set(source, null)
    }
  }
  return edits
}

/**
 * Tokens that go with an entry, and what it leaves behind that nothing reaches.
 *
 * @param {{registry: Registry, name: string}} entry
 * @returns {{went: number, kept: number, left: string, isMuch: boolean}} `kept`: what only the library needs then
 */
function weigh (entry) {
  const edits = editsOf([entry])
  const after = new Map([...texts].filter(([file]) => edits.get(file) !== null))
  for (const [file, text] of edits) if (text !== null) after.set(file, text)
  const tokensIn = (/** @type {Map<string, string>} */ texts, /** @type {string[]} */ files) =>
    files.reduce((sum, file) => sum + tokensOf(texts.get(file) ?? ''), 0)
  const went = tokensIn(texts, [...edits.keys()]) - tokensIn(after, [...edits.keys()])
  const lost = (/** @type {Set<string>} */ before, /** @type {Set<string>} */ now) =>
    [...after.keys()].filter(file => before.has(file) && !now.has(file))
  const unreached = lost(reached, reachedIn(after, LIBRARY))
  const left = tokensIn(after, unreached)
  const kept = tokensIn(after, lost(reachedByCommands, reachedIn(after))) - left
  return {
    went,
    kept,
    left: left > 0 ? `leaves ${left} tokens that nothing reaches: ${unreached.join(', ')}` : '',
    isMuch: left > MOST_LEFT * (went + left)
  }
}

/**
 * @param {...{registry: Registry, name: string}} entries
 * @returns {string | null} the check that fails without them
 */
function ablate (...entries) {
  const edits = editsOf(entries)
  try {
    for (const [file, text] of edits) {
      if (text === null) rmSync(path.join(copy, file))
      else writeFileSync(path.join(copy, file), text)
    }
    const [{ registry: { kind }, name }, ...others] = entries
    return others.length > 0 ? failureWithout() : failureWithout(kind, name)
  } finally {
    for (const file of edits.keys()) cpSync(path.join(ROOT, file), path.join(copy, file))
  }
}

/**
 * @param {string} [kind]
 * @param {string} [name]
 */
function failureWithout (kind = '', name = '') {
  const [queue, micro, http] = Object.values(SMOKE).map(list => list.find(one => one !== name) ?? '')
  const without = (/** @type {string} */ entry) => name === entry && ['command', 'format'].includes(kind)
  const out = path.join(copy, 'results/ablation')
  const micros = ['--queue', queue, '--scenario', micro, '--size', '100', '--rounds', '1']
  const markdown = ['--format', 'markdown']
  const servers = ['--queue', 'node', '--scenario', http, '--preset', 'ci', '--rounds', '1']
  const gated = ['--base', 'HEAD', '--self-check', '--queue', `./queues/${queue}.js`, '--scenario', micro, '--rounds', '2']
  /** @type {[string, () => boolean][]} */
  const checks = [
    ['types', () => succeeds('node_modules/.bin/tsc', ['--project', 'tsconfig.json'])],
    ['--help', () => timerq('--help')],
    ['a micro run', () => without('run') || timerq('run', ...micros, '--out', out)],
    ['a markdown report', () => ['run', 'report', 'markdown'].some(without) || timerq('report', out, ...markdown)],
    ['an HTTP run', () => without('run') || timerq('run', ...servers)],
    ['a gate of a queue', () => without('gate') || timerq('gate', ...gated)]
  ]
  rmSync(path.join(copy, 'results'), { recursive: true, force: true })
  return checks.find(([, passes]) => !passes())?.[0] ?? null
}

/** @param {string[]} args */
function timerq (...args) {
  // 3: two heats decide nothing.
  return succeeds(process.execPath, ['bin/timerq.js', ...args], [0, 3])
}

/**
 * @param {string} program
 * @param {string[]} args
 * @param {number[]} [codes]
 */
function succeeds (program, args, codes = [0]) {
  return codes.includes(spawnSync(program, args, { cwd: copy, stdio: 'ignore' }).status ?? -1)
}

/** @param {string} root */
function copyOf (root) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'timerq-ablation-'))
  for (const file of tracked.filter(file => !/^(test|docs|lab)\//.test(file))) {
    if (statSync(path.join(root, file)).isFile()) cpSync(path.join(root, file), path.join(folder, file))
  }
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync('git', ['-c', 'user.name=timerq', '-c', 'user.email=timerq@example.com', ...args], { cwd: folder })
  git('init', '--quiet')
  git('add', '--all')
  git('commit', '--quiet', '--message', 'copy')
  return folder
}
