#!/usr/bin/env node
/**
 * `npm run calibrate`: how often is the gate wrong? Runs `timerq gate --json` in a temporary repository, on cases whose
 * verdict is known (calibration/cases.js), and counts right, unclear and wrong rows.
 *
 *     npm run calibrate -- --minutes 60                    cases of all kinds in turn
 *     npm run calibrate -- --minutes 20 --only same,drawn  of some kinds
 *     npm run calibrate -- --minutes 20 --load             with a busy loop on each core
 *
 * Verdicts are appended to results/calibrate.jsonl; a table is printed at the end.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { markdownTable } from 'markdown-table'
import { median } from 'simple-statistics'
import { choosePins } from '../harness/processes/pinning.js'
import { startBusyLoops } from './busy-loops.js'
import { cases } from './calibration/cases.js'
/** @import { Case } from './calibration/cases.js' */

/**
 * @typedef {object} Outcome  Verdicts of the gating rows of one gate.
 * @property {string} kind
 * @property {string} name
 * @property {string} verdict  Verdict of the gate.
 * @property {number} right  Rows.
 * @property {number} unclear  Rows.
 * @property {number} wrong  Rows.
 * @property {number} seconds
 */

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const LOG = path.join(ROOT, 'results/calibrate.jsonl')
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    only: { type: 'string' },
    load: { type: 'boolean', default: false }
  }
})
const kinds = values.only?.split(',')
const chosen = cases.filter(({ kind }) => kinds?.includes(kind) ?? true)
if (chosen.length === 0) throw new Error(`--only ${values.only} names none of ${kindsOf(cases).join(', ')}`)

const repository = createRepository()
const stopLoad = values.load ? startBusyLoops(choosePins().cores) : () => {}
/** @type {Outcome[]} */
const outcomes = []
try {
  const end = performance.now() + 60_000 * Number(values.minutes)
  for (let i = 0; performance.now() < end; i++) measure(chosen[i % chosen.length])
} finally {
  stopLoad()
}
process.stdout.write(tableOf(outcomes))

/** @param {Case} known */
function measure ({ kind, name, wanted, base, head, options }) {
  write(base)
  git('add', '--all')
  git('commit', '--quiet', '--allow-empty', '--message', name)
  write(head)
  const start = performance.now()
  const { stdout } = spawnSync(
    process.execPath,
    [path.join(ROOT, 'bin/timerq.js'), 'gate', '--base', 'HEAD', '--json', ...options],
    { cwd: repository, encoding: 'utf8', maxBuffer: 1 << 28 }
  )
  const { verdict, comparisons } = JSON.parse(stdout)
  /** @type {{gates: boolean, verdict: string}[]} */
  const rows = comparisons.filter((/** @type {any} */ row) => row.gates)
  const unclear = rows.filter(row => ['inconclusive', 'invalid'].includes(row.verdict)).length
  const right = rows.filter(row => row.verdict === wanted).length
  const seconds = Math.round((performance.now() - start) / 1000)
  const outcome = { kind, name, verdict, right, unclear, wrong: rows.length - right - unclear, seconds }
  outcomes.push(outcome)
  mkdirSync(path.dirname(LOG), { recursive: true })
  appendFileSync(LOG, JSON.stringify({ ...outcome, load: values.load, day: new Date().toISOString() }) + '\n')
  process.stderr.write(`${kind}: ${name}: ${verdict}, wanted ${wanted}, ${seconds} s\n`)
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
