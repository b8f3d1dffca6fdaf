import { appendFileSync } from 'node:fs'
import path from 'node:path'
import { UsageError } from '../../harness/model/errors.js'
import { compareWithBaseline, countCells, readBaseline, v8Series, writeBaseline } from '../../harness/gate/baseline.js'
import { resumeGate, startGate } from '../../harness/gate/run.js'
import { runId } from '../../harness/run.js'
import { renderAnnotations } from '../../reports/render/annotations.js'
import { renderJunit } from '../../reports/render/junit.js'
import { renderComparisonMarkdown } from '../../reports/render/comparison-markdown.js'
import { renderComparison } from '../../reports/render/comparison-terminal.js'
import { gatePlanFromOptions, runPlanFromOptions } from '../gate-planning.js'
import { createGateProgress } from '../gate-progress.js'
import { EXIT_CODES, rulesFromOptions, rulesOptions } from '../judging.js'
import { planOptions } from '../planning.js'
import { DEFAULT_QUEUES, GATE } from '../presets.js'
import { terminalStyle } from '../terminal-style.js'
import { writeReport } from '../write-report.js'

export const command = 'gate'
export const describe = 'Fail when a change made a queue slower: the exit code is the verdict'

const INTERRUPTED = 130
/** Counts are compared from one day to the next: their workload must be the same. */
const BASELINE_SEED = '1'
/** What a baseline file has no room for. */
const NOT_FOR_BASELINES = { runtime: '--runtime', nodeFlags: '--node-flags', sweep: '--sweep', trace: '--trace' }

/** @param {import('yargs').Argv} yargs */
export const builder = yargs => rulesOptions(planOptions(yargs))
  .describe({
    queue: 'Queues: ./files.js of this repository (default, in timerq itself: its own)',
    scenario: `Scenarios (default: ${GATE.scenarios.join(', ')})`,
    rounds: `Most pairs a cell (default: ${GATE.rounds}, or what the budget allows)`
  })
  .hide('preset')
  .hide('shard')
  .option('base', { type: 'string', requiresArg: true, describe: 'Revision to compare the working tree with, or baseline.json' })
  .option('budget', { type: 'string', default: '5m', requiresArg: true, describe: 'Time that it may take' })
  .option('update', { type: 'boolean', describe: 'Count, and write baseline.json anew' })
  .option('out', { type: 'string', requiresArg: true, describe: 'Results directory (default: results/gate-<time>)' })
  .option('resume', { type: 'string', requiresArg: true, describe: 'Continue a gate that was stopped: its results directory' })
  .option('format', { choices: ['terminal', 'markdown', 'json'], default: 'terminal', describe: 'What to print' })
  .option('json', { type: 'boolean', describe: 'Print timerq-comparison/1' })
  .option('junit', { type: 'string', requiresArg: true, describe: 'JUnit XML file to write' })
  .example('$0 gate --base main --queue ./src/wheel.js', 'is my working tree slower than main?')
  .example('$0 gate --base baseline.json --update', 'counts without noise, to be committed')

/**
 * @param {any} argv
 * @returns {Promise<number>}
 */
export async function handler (argv) {
  const { streams } = argv
  const progress = createGateProgress(streams.stderr)
  const interrupt = new AbortController()
  const onSignal = () => interrupt.abort()
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal)
  const directory = argv.resume ?? argv.out ?? path.join('results', `gate-${runId(new Date())}`)
  const options = { onProgress: progress.show, signal: interrupt.signal }
  try {
    const { record, fileOf } = await gate(argv, directory, options)
    progress.end()
    return present(record, fileOf, argv)
  } catch (error) {
    progress.end()
    if (!interrupt.signal.aborted) throw error
    streams.stderr.write(`timerq: stopped; finished pairs are kept, continue with: timerq gate --resume ${directory}\n`)
    return INTERRUPTED
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal)
  }
}

/**
 * @typedef {{record: import('../../harness/compare.js').ComparisonRecord, fileOf: Map<string, string>}} Judged
 *
 * @param {any} argv
 * @param {string} directory
 * @param {import('../../harness/gate/run.js').GateOptions} options
 * @returns {Promise<Judged>}
 */
async function gate (argv, directory, options) {
  if (argv.resume) return { record: await resumeGate(directory, options), fileOf: new Map() }
  if (argv.shard !== undefined) throw new UsageError('gate takes no --shard: its verdict is one of all cells together')
  if (argv.base === undefined) throw new UsageError('gate needs --base: a revision (main), or a baseline file (baseline.json)')
  if (argv.base.endsWith('.json')) return { record: await gateCounts(argv, options), fileOf: new Map() }
  if (argv.update) throw new UsageError(`--update writes a baseline file, got --base ${argv.base} (try --base baseline.json)`)
  const { plan, root } = await gatePlanFromOptions(argv)
  const record = await startGate(plan, { root, directory, command: commandLine(argv, plan.settings.seed), ...options })
  argv.streams.stderr.write(`results: ${directory}\n`)
  return { record, fileOf: new Map(plan.gate.queues.map(({ name, file }) => [name, file])) }
}

/**
 * @param {any} argv
 * @param {{signal?: AbortSignal}} options
 */
async function gateCounts (argv, { signal }) {
  const { base: file, update } = argv
  const refused = Object.entries(NOT_FOR_BASELINES).find(([name]) => argv[name] !== undefined)
  if (refused) throw new UsageError(`${refused[1]} is not for a baseline file, which is counted by this Node and remembers queues, scenarios and sizes alone (a revision as --base takes it)`)
  const baseline = readBaseline(file)
  if (!baseline && !update) throw new UsageError(`${file} is not there (timerq gate --base ${file} --update makes it)`)
  const chosen = {
    queue: argv.queue ?? baseline?.chosen.queue ?? DEFAULT_QUEUES.filter(name => name !== 'node'),
    scenario: argv.scenario ?? baseline?.chosen.scenario ?? GATE.scenarios,
    size: argv.size ?? baseline?.chosen.size ?? null
  }
  const plan = await runPlanFromOptions({ ...argv, ...chosen, size: chosen.size ?? undefined, seed: argv.seed ?? String(baseline?.seed ?? BASELINE_SEED) })
  assertCountable(plan, baseline, argv)
  const counted = { v8: v8Series(process.versions.v8), seed: plan.settings.seed, chosen, cells: await countCells(plan, { signal }) }
  const known = baseline ?? { format: /** @type {const} */ ('timerq-baseline/1'), ...counted }
  const record = compareWithBaseline(known, counted, { file, command: commandLine(argv, counted.seed), rules: rulesFromOptions(argv) })
  if (!update) return record
  const valid = counted.cells.filter(({ failure }) => failure === undefined)
  writeBaseline(file, { ...counted, cells: valid })
  argv.streams.stderr.write(`${file} written: ${valid.length} of ${counted.cells.length} cells\n`)
  // What was counted is the baseline now; only what could not be counted is still wrong.
  return compareWithBaseline({ ...known, ...counted }, counted, { file, command: record.command, rules: record.rules })
}

/**
 * @param {import('../../harness/plan.js').Plan} plan
 * @param {import('../../harness/gate/baseline.js').Baseline | null} baseline
 * @param {{base: string, update?: boolean}} argv
 */
function assertCountable ({ scenarios, settings: { seed } }, baseline, { base: file, update }) {
  const server = scenarios.find(({ kind }) => kind === 'http')
  if (server) throw new UsageError(`${server.name} is a server, which is timed and not counted: a baseline file needs other scenarios (a revision as --base takes it)`)
  if (baseline && baseline.seed !== seed && !update) {
    throw new UsageError(`${file} was counted with --seed ${baseline.seed}, got ${seed}: another workload has other counts (--update counts it anew)`)
  }
}

/**
 * @param {import('../../harness/compare.js').ComparisonRecord} record
 * @param {Map<string, string>} fileOf
 * @param {any} argv
 */
function present (record, fileOf, { json, format, color, junit, streams }) {
  const render = {
    terminal: () => renderComparison(record, terminalStyle(streams.stdout, color)),
    markdown: () => renderComparisonMarkdown(record),
    json: () => JSON.stringify(record, null, 2) + '\n'
  }[/** @type {'terminal'} */ (json ? 'json' : format)]
  streams.stdout.write(render())
  // Where GitHub runs us, a verdict belongs beside the change.
  if (process.env.GITHUB_ACTIONS) streams.stderr.write(renderAnnotations(record, fileOf))
  if (process.env.GITHUB_STEP_SUMMARY) appendFileSync(process.env.GITHUB_STEP_SUMMARY, renderComparisonMarkdown(record))
  if (junit !== undefined) writeReport(junit, renderJunit(record))
  return EXIT_CODES[record.verdict]
}

/**
 * As typed, and with the seed, so that it can be typed again.
 *
 * @param {any} argv
 * @param {number} seed
 */
function commandLine ({ seed: given }, seed) {
  return ['timerq', ...process.argv.slice(2), ...(given === undefined ? ['--seed', String(seed)] : [])]
}
