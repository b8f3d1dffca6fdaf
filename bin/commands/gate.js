import path from 'node:path'
import { compareWithBaseline, countCells, readBaseline, v8Series, writeBaseline } from '../../harness/gate/baseline.js'
import { FEWEST_HEATS } from '../../harness/gate/plan.js'
import { resumeGate, startGate } from '../../harness/gate/run.js'
import { UsageError } from '../../harness/model/errors.js'
import { runId } from '../../harness/run/run.js'
import { commentDocument, comparisonDocument } from '../../reports/documents/comparison.js'
import { renderAnnotations } from '../../reports/render/annotations.js'
import { renderJunit } from '../../reports/render/junit.js'
import { renderMarkdown } from '../../reports/render/markdown.js'
import { EXIT_CODES, pairProgress } from '../console.js'
import { assertReportable, assertWritable, writeReport } from '../files.js'
import { planBaseline, planGate } from '../request/gate-plan.js'
import { nameAgain, refusePlanned, whatIsNamed } from '../request/resume.js'
import { rulesOf } from '../request/rules.js'

/** Options of the first start, which a gate keeps when it is continued. */
const PLANNED = /** @type {const} */ ([
  'base', 'queue', 'scenario', 'size', 'sweep', 'rounds', 'budget', 'trace', 'seed', 'timeLimit', 'memoryLimit', 'target', 'floor', 'margin', 'alpha', 'selfCheck', 'update', 'out'
])

/**
 * @typedef {import('../console.js').Console} Console
 * @typedef {import('../../harness/judge/compare.js').ComparisonRecord} ComparisonRecord
 * @typedef {import('../request/options.js').CommonRequest & import('../request/options.js').FormatRequest &
 *   import('../request/options.js').PlanRequest & import('../request/options.js').RulesRequest &
 *   {base: string, budget?: number, selfCheck?: boolean, update?: boolean, out?: string, resume?: string, junit?: string, comment?: string}} GateRequest
 *
 * @param {GateRequest} request
 * @param {Console} console
 */
export async function handler (request, console) {
  const { base, resume, out, junit, comment, update } = request
  const directory = resume ?? out ?? path.join('results', `gate-${runId(new Date())}`)
  for (const file of [junit, comment]) if (file !== undefined) assertReportable(file)
  if (update && base?.endsWith('.json')) assertWritable(base)
  return console.interruptible(async signal => {
    const { record, fileOf = new Map() } = await gate(request, directory, signal, console)
    return present(record, fileOf, request, console)
  }, `finished heats are kept, continue with: timerq gate --resume ${directory}${nameAgain({ ...request, queue: [] })}`, path.join(directory, 'run.json'))
}

/**
 * @param {GateRequest} request
 * @param {string} directory
 * @param {AbortSignal} signal
 * @param {Console} console
 * @returns {Promise<{record: ComparisonRecord, fileOf?: Map<string, string>}>}
 */
async function gate (request, directory, signal, console) {
  const { base, resume, selfCheck, shard, update } = request
  /** @type {import('../../harness/gate/run.js').GateOptions} */
  const options = { onProgress: progress => console.showProgress(pairProgress(progress)), signal }
  if (resume !== undefined) {
    refusePlanned(request, PLANNED)
    const { modules, ...named } = await whatIsNamed(request)
    return { record: await resumeGate(directory, { ...options, named, onNote: note => console.note(note) }) }
  }
  if (shard !== undefined) throw new UsageError('gate takes no --shard: its verdict is one of all cells together')
  if (base === undefined) throw new UsageError('gate needs --base: a revision (main), or a baseline file (baseline.json)')
  if (base.endsWith('.json')) {
    if (selfCheck) throw new UsageError('--self-check is about times, which a baseline file has none of (try --base main)')
    return { record: await gateCounts(request, signal, console) }
  }
  if (update) throw new UsageError(`--update writes a baseline file, got --base ${base} (try --base baseline.json)`)
  const plan = await planGate(request)
  const { rounds } = plan.settings
  if (rounds < FEWEST_HEATS) console.note(`--rounds ${rounds}: with fewer than ${FEWEST_HEATS} pairs, few rows can be decided on time`)
  const record = await startGate(plan, { directory, command: commandLine(request, plan.settings.seed), ...options })
  console.note(`results: ${directory}`)
  return { record, fileOf: new Map(plan.queues.map(({ name, file }) => [name, file])) }
}

/**
 * @param {GateRequest} request
 * @param {AbortSignal} signal
 * @param {Console} console
 */
async function gateCounts (request, signal, console) {
  const { base: file, update } = request
  const baseline = readBaseline(file)
  if (!baseline && !update) throw new UsageError(`${file} is not there (timerq gate --base ${file} --update makes it)`)
  const { plan, chosen } = await planBaseline(request, baseline)
  const { seed } = plan.settings
  const counted = { v8: v8Series(process.versions.v8), seed, chosen, cells: await countCells(plan, signal) }
  const known = baseline ?? counted
  const options = { file, command: commandLine(request, seed), rules: rulesOf(request) }
  if (!update) return compareWithBaseline(known, counted, options)
  const valid = counted.cells.filter(({ failure }) => failure === undefined)
  writeBaseline(file, { ...counted, cells: valid })
  console.note(`${file} written: ${valid.length} of ${counted.cells.length} cells`)
  // The counts are the baseline now: only cells that could not be counted are still wrong.
  return compareWithBaseline({ ...known, ...counted }, counted, options)
}

/**
 * @param {ComparisonRecord} record
 * @param {Map<string, string>} fileOf
 * @param {GateRequest} request
 * @param {Console} console
 */
function present (record, fileOf, request, console) {
  const document = () => comparisonDocument(record)
  const { junit, comment } = request
  console.show(request, { document, value: record })
  if (junit !== undefined) writeBeside(console, junit, renderJunit(record))
  if (comment !== undefined) writeBeside(console, comment, renderMarkdown(commentDocument(record)))
  // On GitHub, a verdict belongs beside the change. A self-check is about no change.
  if (!request.selfCheck) annotate(record, fileOf, document, console)
  return EXIT_CODES[record.verdict]
}

/**
 * A verdict that is known is not lost with a file that cannot be written.
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
 * @param {ComparisonRecord} record
 * @param {Map<string, string>} fileOf
 * @param {() => import('../../reports/blocks.js').Document} document
 * @param {Console} console
 */
function annotate (record, fileOf, document, console) {
  if (process.env.GITHUB_ACTIONS) console.annotate(renderAnnotations(record, fileOf))
  const { GITHUB_STEP_SUMMARY: summary } = process.env
  if (summary) writeBeside(console, summary, renderMarkdown(document()), 'a')
}

/**
 * The command as typed, with the seed, so that it can be typed again.
 *
 * @param {GateRequest} request
 * @param {number} seed
 */
function commandLine ({ commandLine, seed: given }, seed) {
  return [...commandLine, ...(given === undefined ? ['--seed', String(seed)] : [])]
}
