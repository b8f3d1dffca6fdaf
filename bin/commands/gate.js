import { rooms } from '../../harness/index.js'
import { UsageError } from '../../harness/model/errors.js'
import { commandLine } from '../../reports/blocks.js'
import { commentDocument, comparisonDocument } from '../../reports/documents/comparison.js'
import { renderAnnotations } from '../../reports/render/annotations.js'
import { renderJunit } from '../../reports/render/junit.js'
import { renderMarkdown } from '../../reports/render/markdown.js'
import { EXIT_CODES } from '../console.js'
import { assertReportable, assertWritable, writeReport } from '../files.js'
import { measuringCommand } from '../measuring.js'
import { GATE_BUDGET_SECONDS } from '../presets.js'
import { planBaseline, planGate, planProgramGate, planRuntimeGate } from '../request/gate-plan.js'

/** @import { ComparisonRecord } from '../../harness/judge/compare.js' */
/** @import { Console } from '../console.js' */
/** @import { Measurement } from '../measuring.js' */
/** @import { Request } from '../request/request.js' */

/** @typedef {Request & {base: string, path?: string}} GateRequest  Without a base, two runtimes are compared. */

const { compareWithBaseline, countCells, FEWEST_HEATS, readBaseline, resumeGate, startGate, v8Series, writeBaseline } =
  await rooms.gate()

export const handler = measuringCommand({
  name: 'gate',
  start,
  resume: async (request, { directory, ...options }, console) => {
    assertOutputs(request)
    return present(await resumeGate(directory, options), request, console)
  }
})

/**
 * @param {GateRequest} request
 * @param {Measurement} measurement
 * @param {Console} console
 */
async function start (request, { directory, ...options }, console) {
  const { base, selfCheck, update, program } = request
  assertOutputs(request)
  if (program && (base === undefined || base.endsWith('.json'))) {
    throw new UsageError('a program is compared with a revision (try timerq gate --base main -- node server.js)')
  }
  const forPrograms = /** @type {const} */ (['path', 'connections']).find(
    name => !program && request[name] !== undefined
  )
  if (forPrograms) {
    throw new UsageError(`--${forPrograms} is for a program (try timerq gate --base main -- node server.js)`)
  }
  if (base === undefined && request.runtime === undefined) {
    throw new UsageError(
      'gate needs --base: a revision (main), or a baseline file (baseline.json); or --runtime: two versions of Node to compare (24,26)'
    )
  }
  if (base?.endsWith('.json')) {
    if (selfCheck) {
      throw new UsageError('--self-check is about times, which a baseline file has none of (try --base main)')
    }
    return present(await gateCounts(request, options.signal, console), request, console)
  }
  if (update) {
    throw new UsageError(
      `--update writes a baseline file, got ${base === undefined ? 'none' : `--base ${base}`} (try --base baseline.json)`
    )
  }
  const plan = await (program
    ? planProgramGate(/** @type {any} */ (request), program)
    : base === undefined
      ? planRuntimeGate(request)
      : planGate(request))
  const { rounds, seed } = plan.settings
  if (rounds < FEWEST_HEATS) {
    console.note(`--rounds ${rounds}: with fewer than ${FEWEST_HEATS} pairs, few rows can be decided on time`)
  }
  const record = await startGate(plan, { ...options, directory, command: repeatable(request, seed) })
  console.note(`results: ${directory}`)
  return present(
    record,
    request,
    console,
    new Map(plan.queues.flatMap(({ name, file }) => (file === undefined ? [] : [[name, file]])))
  )
}

/**
 * Makes sure before measuring that the verdict can be written.
 *
 * @param {GateRequest} request
 */
function assertOutputs ({ base, junit, comment, update }) {
  for (const file of [junit, comment]) if (file !== undefined) assertReportable(file)
  if (update && base?.endsWith('.json')) assertWritable(base)
}

/**
 * @param {GateRequest} request
 * @param {AbortSignal} signal
 * @param {Console} console
 */
async function gateCounts (request, signal, console) {
  const { base: file, update, floor, margin, alpha } = request
  const baseline = readBaseline(file)
  if (!baseline && !update) throw new UsageError(`${file} is not there (timerq gate --base ${file} --update makes it)`)
  const { plan, chosen } = await planBaseline(request, baseline)
  const { seed } = plan.settings
  const counted = { v8: v8Series(process.versions.v8), seed, chosen, cells: await countCells(plan, signal) }
  const known = baseline ?? counted
  const options = { file, command: repeatable(request, seed), rules: { floor, margin, alpha } }
  if (!update) return compareWithBaseline(known, counted, options)
  const valid = counted.cells.filter(({ failure }) => failure === undefined)
  writeBaseline(file, { ...counted, cells: valid })
  console.note(`${file} written: ${valid.length} of ${counted.cells.length} cells`)
  // The new counts are the baseline now, so only cells that could not be counted fail.
  return compareWithBaseline({ ...known, ...counted }, counted, options)
}

/**
 * @type {(record: ComparisonRecord, request: GateRequest, console: Console, fileOf?: Map<string, string>) => number}
 */
function present (record, request, console, fileOf = new Map()) {
  const document = () => comparisonDocument(record)
  const { junit, comment, selfCheck } = request
  const { GITHUB_ACTIONS: isOnGithub, GITHUB_STEP_SUMMARY: summary } = process.env
  console.show(request, { document, value: record })
  if (record.verdict === 'inconclusive' && request.base && !request.base.endsWith('.json')) {
    console.note(`to settle it: ${longer(record.command, request.budget)}`)
  }
  if (junit !== undefined) writeBeside(console, junit, renderJunit(record))
  if (comment !== undefined) writeBeside(console, comment, renderMarkdown(commentDocument(record)))
  // On GitHub, a verdict belongs beside the change. A self-check is about no change.
  if (!selfCheck && isOnGithub) console.annotate(renderAnnotations(record, fileOf))
  if (!selfCheck && summary) writeBeside(console, summary, renderMarkdown(document()), 'a')
  return EXIT_CODES[record.verdict]
}

/**
 * A file that cannot be written must not cost the verdict.
 *
 * @param {Console} console
 * @param {Parameters<typeof writeReport>} report
 */
function writeBeside (console, ...report) {
  try {
    writeReport(...report)
  } catch (error) {
    console.note(`timerq: ${/** @type {Error} */ (error).message}`)
  }
}

/**
 * The command with twice its budget, and draws of its own.
 *
 * @param {string[]} command
 * @param {number} [seconds]
 */
function longer (command, seconds = GATE_BUDGET_SECONDS) {
  const replaced = ['--budget', '--rounds', '--seed']
  const kept = command.filter((word, i) => !replaced.includes(word.split('=')[0]) && !replaced.includes(command[i - 1]))
  return commandLine([...kept, '--budget', `${2 * seconds}s`]).text
}

/**
 * The command line with its seed, so that it can be typed again.
 *
 * @param {GateRequest} request
 * @param {number} seed
 */
const repeatable = (request, seed) => [
  ...request.commandLine,
  ...(request.seed === undefined ? ['--seed', String(seed)] : [])
]
