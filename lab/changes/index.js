#!/usr/bin/env node
/**
 * How often is a gate of code that is no queue wrong? Whole gates from end to end, of neutral edits and of slower code:
 *
 *     node lab/changes/index.js --gates 10      ten of each kind for each workload; prints a table
 *     node lab/changes/index.js --only router --slowdowns 2,5,10 --load    with a busy loop on each core
 *
 * The slowdown is useless arithmetic. Gates with much of it show its price in each workload.
 */
import { execFile, execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { markdownTable } from 'markdown-table'
import { median } from 'simple-statistics'
import { choosePins } from '../../harness/processes/pinning.js'
import { startBusyLoops } from '../calibration/busy-loops.js'
import { edit, VARIANTS } from '../calibration/neutral-edits.js'

/** @typedef {{verdict: string, ratio: number, seconds: number}} Gate */

const TIMERQ = fileURLToPath(new URL('../../bin/timerq.js', import.meta.url))
const WORKLOADS = fileURLToPath(new URL('workloads', import.meta.url))
const SPIN = fileURLToPath(new URL('../calibration/spin.js', import.meta.url))
const AUTHOR = ['-c', 'user.name=changes', '-c', 'user.email=changes@localhost']
const BUDGET = '2m'

/**
 * Gated workloads: the edited file, and the words after `timerq gate --base HEAD`.
 *
 * @type {Record<string, {file: string, words: string[], guess: number}>}
 */
const KINDS = {
  records: { file: 'records.js', words: ['--scenario', './records.workload.js'], guess: 300 },
  router: { file: 'router.js', words: ['--scenario', './router.workload.js'], guess: 60 },
  server: { file: 'server.js', words: ['--', 'node', 'server.js'], guess: 10_000 }
}
/** The slowdown that finds the price is large, because noise hides a part of a small one. */
const PRICED_SLOWDOWN = 0.25
const MOST_WORK = 1e6

const {
  values: { gates, only, slowdowns, load }
} = parseArgs({
  options: {
    gates: { type: 'string', default: '10' },
    only: { type: 'string' },
    slowdowns: { type: 'string', default: '5' },
    load: { type: 'boolean', default: false }
  }
})
const repository = mkdtempSync(path.join(os.tmpdir(), 'timerq-changes-'))
try {
  for (const file of readdirSync(WORKLOADS)) writeFileSync(path.join(repository, file), sourceOf(file))
  cpSync(SPIN, path.join(repository, 'spin.js'))
  writeFileSync(path.join(repository, 'package.json'), '{ "type": "module" }\n')
  writeFileSync(path.join(repository, '.gitignore'), 'results/\n')
  for (const words of [['init'], ['add', '.'], ['commit', '-m', 'Add workloads']]) {
    execFileSync('git', ['-C', repository, ...AUTHOR, ...words], { stdio: 'ignore' })
  }
  const stop = load ? startBusyLoops(choosePins().cores) : () => {}
  const rows = []
  try {
    for (const name of Object.keys(KINDS).filter(name => only === undefined || only === name)) {
      rows.push(...(await calibrate(name, Number(gates))))
    }
  } finally {
    stop()
  }
  const head = ['workload', 'head', 'regression', 'pass', 'came out as', 'seconds (median)']
  process.stdout.write(markdownTable([head, ...rows], { align: ['l', 'l', 'r', 'r', 'r', 'r'] }) + '\n')
} finally {
  rmSync(repository, { recursive: true })
}

/**
 * @param {string} name
 * @param {number} count  Gates of each kind.
 */
async function calibrate (name, count) {
  const source = sourceOf(KINDS[name].file)
  const priced = await price(name, source)
  const percents = slowdowns.split(',').map(Number)
  const works = percents.map(percent => Math.round((priced * percent) / 100 / PRICED_SLOWDOWN))
  /** @type {Gate[][]} */
  const kinds = [[], ...works.map(() => [])]
  for (let i = 0; i < count; i++) {
    const heads = [edit(source, 1 + (i % (VARIANTS.length - 1))), ...works.map(work => slow(source, work))]
    for (const [kind, head] of heads.entries()) kinds[kind].push(await gate(name, head))
  }
  return kinds.map((gates, kind) => {
    const of = (/** @type {string} */ wanted) =>
      `${gates.filter(({ verdict }) => verdict === wanted).length} of ${count}`
    const ratios = gates.map(({ ratio }) => ratio).sort((a, b) => a - b)
    return [
      name,
      kind === 0 ? 'neutral edit' : `+${percents[kind - 1]} %`,
      of('regression'),
      of('pass'),
      `${percent(ratios[0])} to ${percent(ratios[count - 1])}`,
      median(gates.map(({ seconds }) => seconds)).toFixed(0)
    ]
  })
}

/** @param {string} file  File of a workload, whose imports are in the same folder of the repository. */
function sourceOf (file) {
  return readFileSync(path.join(WORKLOADS, file), 'utf8').replace('../../calibration/spin.js', './spin.js')
}

/**
 * Units of work that make PRICED_SLOWDOWN.
 *
 * @param {string} name
 * @param {string} source
 */
async function price (name, source) {
  let work = KINDS[name].guess
  for (let step = 0; step < 3; step++) {
    const { ratio } = await gate(name, slow(source, work))
    work = Math.min(MOST_WORK, Math.round(work * Math.min(20, PRICED_SLOWDOWN / Math.max(ratio - 1, 0.001))))
  }
  return work
}

/**
 * @param {string} source
 * @param {number} work
 */
function slow (source, work) {
  return source.replace(/WORK = (\d+)/, (_, base) => `WORK = ${Number(base) + work}`)
}

/** @param {number} ratio */
function percent (ratio) {
  return `${ratio < 1 ? '' : '+'}${(100 * (ratio - 1)).toFixed(1)} %`
}

/**
 * @param {string} name
 * @param {string} head  Source of the working tree.
 * @returns {Promise<Gate>}
 */
async function gate (name, head) {
  const {
    file,
    words: [first, ...rest]
  } = KINDS[name]
  writeFileSync(path.join(repository, file), head)
  const options = ['--budget', BUDGET, '--json', '--out', path.join(repository, 'results', String(performance.now()))]
  const start = performance.now()
  const { verdict, comparisons } = await timerq(['gate', '--base', 'HEAD', ...options, first, ...rest])
  const seconds = (performance.now() - start) / 1000
  const { ratio } = comparisons.find((/** @type {any} */ { gates, exact }) => gates && !exact)
  process.stderr.write(`${name}: ${verdict}, ${percent(ratio)}, ${seconds.toFixed(0)} s\n`)
  return { verdict, ratio, seconds }
}

/**
 * @param {string[]} args
 * @returns {Promise<any>} its JSON output
 */
function timerq (args) {
  return new Promise((resolve, reject) => {
    // Every exit code but that of wrong usage comes with a verdict.
    execFile(process.execPath, [TIMERQ, ...args], { cwd: repository, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      if (stdout) resolve(JSON.parse(stdout))
      else reject(error ?? new Error(stderr))
    })
  })
}
