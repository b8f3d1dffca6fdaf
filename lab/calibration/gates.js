/**
 * Whole gates from end to end, through the command line: a repository whose working tree holds a neutral edit of its
 * queues.
 */
import { execFile, execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { variantName, VARIANTS } from './neutral-edits.js'
import { append, readSoFar } from './samples.js'

/**
 * @typedef {import('./samples.js').WholeGate} WholeGate
 *
 * @typedef {object} GateOptions
 * @property {string} directory
 * @property {string} variants
 * @property {import('./samples.js').Load} load
 * @property {string[]} queues
 * @property {Record<WholeGate['rows'], string[]>} scenarios
 * @property {number} budgetSeconds
 * @property {(line: string) => void} onProgress
 */

const TIMERQ = fileURLToPath(new URL('../../bin/timerq.js', import.meta.url))
const AUTHOR = ['-c', 'user.name=calibration', '-c', 'user.email=calibration@localhost']

/**
 * Runs gates of micro rows and gates of servers, by turns.
 *
 * @param {number} seconds
 * @param {GateOptions} options
 */
export async function measureGates (seconds, options) {
  const { directory, load, onProgress } = options
  const end = performance.now() + seconds * 1000
  const taken = readSoFar(directory).filter(line => line.kind === 'gates' && line.load === load)
  for (let round = taken.length; performance.now() < end; round++) {
    const rows = round % 2 === 0 ? 'micro' : 'servers'
    onProgress(`gates: ${rows}, gate ${round}`)
    append(directory, [await runGate(round, rows, options)])
  }
}

/**
 * @param {number} round
 * @param {WholeGate['rows']} rows
 * @param {GateOptions} options
 * @returns {Promise<WholeGate>}
 */
async function runGate (round, rows, { variants, load, queues, scenarios, budgetSeconds }) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'timerq-calibration-'))
  const [repository, results] = [path.join(folder, 'repository'), path.join(folder, 'results')]
  const head = 1 + (round % (VARIANTS.length - 1))
  try {
    fillIn(0)
    writeFileSync(path.join(repository, 'package.json'), '{ "type": "module" }\n')
    const git = (/** @type {string[]} */ ...args) =>
      execFileSync('git', ['-C', repository, ...AUTHOR, ...args], { stdio: 'ignore' })
    git('init')
    git('add', '.')
    git('commit', '-m', 'Add queues')
    fillIn(head)

    const start = performance.now()
    const { verdict, comparisons } = await timerq([
      'gate',
      '--base',
      'HEAD',
      '--queue',
      queues.map(name => `./queues/${name}.js`).join(','),
      '--scenario',
      scenarios[rows].join(','),
      '--budget',
      `${budgetSeconds}s`,
      '--seed',
      String(round + 1),
      '--out',
      results,
      '--json'
    ])
    const seconds = (performance.now() - start) / 1000
    return {
      kind: 'gates',
      rows,
      round,
      load,
      seconds: Number(seconds.toPrecision(4)),
      countingSeconds: Number(secondsBeforeHeats().toPrecision(4)),
      verdict,
      comparisons: comparisons
        .filter((/** @type {any} */ { gates, exact }) => gates && !exact)
        .map((/** @type {any} */ row) => ({
          cell: `${row.queue} on ${row.scenario}`,
          metric: row.metric,
          verdict: row.verdict,
          ratio: row.ratio,
          pairs: row.pairs
        }))
    }
  } finally {
    rmSync(folder, { recursive: true })
  }

  /** @param {number} variant */
  function fillIn (variant) {
    cpSync(path.join(variants, variantName(variant)), path.join(repository, 'queues'), { recursive: true })
  }

  /** Time for counting, which comes before the first heat. */
  function secondsBeforeHeats () {
    const { started } = JSON.parse(readFileSync(path.join(results, 'run.json'), 'utf8'))
    const samples = readFileSync(path.join(results, 'samples.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    const first = Math.min(...samples.filter(({ kind }) => kind === 'heat').map(({ started }) => Date.parse(started)))
    return (first - Date.parse(started)) / 1000
  }

  /**
   * @param {string[]} args
   * @returns {Promise<any>} its JSON output
   */
  function timerq (args) {
    return new Promise((resolve, reject) => {
      // Every exit code but that of wrong usage comes with a verdict.
      execFile(
        process.execPath,
        [TIMERQ, ...args],
        { cwd: repository, maxBuffer: 2 ** 26 },
        (error, stdout, stderr) => {
          if (stdout) resolve(JSON.parse(stdout))
          else reject(error ?? new Error(stderr))
        }
      )
    })
  }
}
