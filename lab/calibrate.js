#!/usr/bin/env node
/**
 * `npm run calibrate`: how often is the gate wrong? Runs `timerq gate --json` in a temporary repository, on copies of
 * queues that differ in nothing that matters, and on copies of a function that are slower, and counts the rows.
 *
 *     npm run calibrate -- --minutes 60                all kinds in turn
 *     npm run calibrate -- --minutes 20 --only copy    one kind: copy, or 5, 10 or 25 (percent slower)
 *     npm run calibrate -- --minutes 20 --load         with a busy loop on each core
 *
 * Verdicts are appended to results/calibrate.jsonl; a table is printed at the end.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { markdownTable } from 'markdown-table'
import { median } from 'simple-statistics'
import { choosePins } from '../harness/processes/pinning.js'
import { startBusyLoops } from './busy-loops.js'

/**
 * @typedef {object} Case  Base and head of some files, and the options of their gate.
 * @property {string} kind
 * @property {'pass' | 'regression'} wanted  Verdict of each row that gates.
 * @property {Record<string, string>} base  Text by path.
 * @property {Record<string, string>} head
 * @property {string[]} options
 *
 * @typedef {{kind: string, seconds: number} & Record<'right' | 'unclear' | 'wrong', number>} Outcome  Rows of a gate.
 */

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const LOG = path.join(ROOT, 'results/calibrate.jsonl')
const QUEUES = ['binary-heap', 'quaternary-heap', 'hierarchical-wheel', 'lazy-wheel']
const SCENARIOS = 'refresh-one-duration,staggered-expiry,start-cancel'
const COMMENT = '// Every timer that was started either fires once or is cancelled.\n'
const BENCHMARK = `import { Bench } from 'tinybench'
import { mix } from './mix.js'
const bench = new Bench()
bench.add('mix', () => mix(400))
await bench.run()
`

/**
 * Edits that change nothing. They move code in the file, in memory and in V8's tables.
 *
 * @type {((source: string) => string)[]}
 */
const EDITS = [
  source => source.replace(/^(?:export )?class /gm, start => COMMENT.repeat(5) + start),
  source => source.replace(/^ {2}\}\n/gm, end => `${end}\n\n`),
  source => source.replace(/#(\w+)\b/g, (_, name) => `#${name}OfThisQueue`)
]

/** @type {Case[]} */
const cases = [
  ...EDITS.flatMap(edit => QUEUES.map(queue => copyOf(`queues/${queue}.js`, edit))),
  ...[5, 10, 25].map(percent => ({
    kind: String(percent),
    wanted: /** @type {const} */ ('regression'),
    base: { 'mix.js': mixOf(0), 'mix.bench.js': BENCHMARK },
    head: { 'mix.js': mixOf(percent) },
    options: ['--scenario', './mix.bench.js', '--budget', '2m']
  }))
]

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    only: { type: 'string' },
    load: { type: 'boolean', default: false }
  }
})
const chosen = cases.filter(({ kind }) => kind === (values.only ?? kind))
if (chosen.length === 0) throw new Error(`--only ${values.only} is none of ${kindsOf(cases).join(', ')}`)

const repository = createRepository()
const stopLoad = values.load ? startBusyLoops(choosePins().cores) : () => {}
/** @type {Outcome[]} */
const outcomes = []
try {
  const end = performance.now() + 60_000 * Number(values.minutes)
  for (let i = 0; performance.now() < end; i++) outcomes.push(measure(chosen[i % chosen.length]))
} finally {
  stopLoad()
}
process.stdout.write(tableOf(outcomes))

/**
 * @param {Case} known
 * @returns {Outcome}
 */
function measure ({ kind, wanted, base, head, options }) {
  write(base)
  git('add', '--all')
  git('commit', '--quiet', '--allow-empty', '--message', kind)
  write(head)
  const start = performance.now()
  const { stdout } = spawnSync(
    process.execPath,
    [path.join(ROOT, 'bin/timerq.js'), 'gate', '--base', 'HEAD', '--json', ...options],
    { cwd: repository, encoding: 'utf8', maxBuffer: 1 << 28 }
  )
  /** @type {{comparisons: {gates: boolean, verdict: string}[]}} */
  const { comparisons } = JSON.parse(stdout)
  const rows = comparisons.filter(({ gates }) => gates)
  const unclear = rows.filter(({ verdict }) => ['inconclusive', 'invalid'].includes(verdict)).length
  const right = rows.filter(({ verdict }) => verdict === wanted).length
  const seconds = Math.round((performance.now() - start) / 1000)
  const outcome = { kind, right, unclear, wrong: rows.length - right - unclear, seconds }
  mkdirSync(path.dirname(LOG), { recursive: true })
  appendFileSync(LOG, JSON.stringify({ ...outcome, load: values.load, day: new Date().toISOString() }) + '\n')
  process.stderr.write(`${JSON.stringify(outcome)}\n`)
  return outcome
}

/**
 * @param {string} file
 * @param {(source: string) => string} edit
 * @returns {Case}
 */
function copyOf (file, edit) {
  const source = readFileSync(path.join(ROOT, file), 'utf8')
  if (edit(source) === source) throw new Error(`${file}: ${edit} changes nothing`)
  return {
    kind: 'copy',
    wanted: 'pass',
    base: { [file]: source },
    head: { [file]: edit(source) },
    options: ['--queue', `./${file}`, '--scenario', SCENARIOS, '--budget', '2m']
  }
}

/** @param {number} percent  Additional turns. */
function mixOf (percent) {
  return `export function mix (turns) {
  let hash = 1
  for (let i = 0; i < turns * ${1 + percent / 100}; i++) hash = (Math.imul(hash, 0x85ebca6b) + i) | 0
  return hash
}
`
}

function createRepository () {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'timerq-calibrate-'))
  cpSync(path.join(ROOT, 'queues'), path.join(folder, 'queues'), { recursive: true })
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'))
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module", "private": true }\n')
  writeFileSync(path.join(folder, '.gitignore'), 'node_modules\nresults\n')
  execFileSync('git', ['init', '--quiet', folder])
  return folder
}

/** @param {Record<string, string>} files  Text by path. */
function write (files) {
  for (const [file, text] of Object.entries(files)) writeFileSync(path.join(repository, file), text)
}

/** @param {string[]} args */
function git (...args) {
  execFileSync('git', ['-c', 'user.name=timerq', '-c', 'user.email=timerq@example.com', ...args], { cwd: repository })
}

/** @param {{kind: string}[]} list */
function kindsOf (list) {
  return [...new Set(list.map(({ kind }) => kind))]
}

/** @param {Outcome[]} all */
function tableOf (all) {
  const lines = kindsOf(all).map(kind => {
    const gates = all.filter(outcome => outcome.kind === kind)
    const [right, unclear, wrong] = /** @type {const} */ (['right', 'unclear', 'wrong']).map(what =>
      gates.reduce((rows, gate) => rows + gate[what], 0)
    )
    const rows = right + unclear + wrong
    // Clopper and Pearson's bound of no event in n rows.
    const bound = wrong === 0 ? `0 (at most ${(100 * (1 - 0.05 ** (1 / rows))).toPrecision(2)} %)` : String(wrong)
    return [kind, gates.length, rows, right, unclear, bound, median(gates.map(({ seconds }) => seconds))].map(String)
  })
  const head = ['kind', 'gates', 'rows', 'right', 'unclear', 'wrong (95 %)', 'seconds a gate']
  return `${markdownTable([head, ...lines])}\n`
}
