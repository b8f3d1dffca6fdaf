import path from 'node:path'
import { MeasurementError, UsageError } from '../../harness/model/errors.js'
import { readProfiles } from '../../harness/profile/recorded.js'
import { profilePlan, PROFILES } from '../../harness/profile/run.js'
import { tools } from '../../harness/profile/tools/index.js'
import { readResults } from '../../harness/store/results.js'
import { runId } from '../../harness/run/run.js'
import { summarise } from '../../harness/judge/summary.js'
import { renderHeaviest } from '../../reports/documents/heavy-profile.js'
import { takenProfilesDocument } from '../../reports/documents/taken-profiles.js'
import { writeDifferences, writeProfiles } from '../files.js'
import { planProfile } from '../request/plan.js'
import { profileProgram } from './profile-program.js'

/** Functions shown per queue. */
const HEAVIEST = 3

/**
 * @typedef {import('../console.js').Console} Console
 * @typedef {import('../../harness/store/results.js').Results} Results
 * @typedef {import('../request/options.js').CommonRequest & import('../request/options.js').PlanRequest &
 *   {with: string[], seconds?: number, connections?: number[], against?: string, out?: string, json?: boolean, '--'?: (string | number)[]}} ProfileRequest
 *
 * @param {ProfileRequest} request
 * @param {Console} console
 */
export async function handler (request, console) {
  if (request['--']) return profileProgram(request['--'].map(String), request, console)
  const draw = createDrawing(request)
  const directory = request.out ?? path.join('results', `profile-${runId(new Date())}`)
  return console.interruptible(async signal => {
    const results = await profilePlan(await planProfile(request), {
      tools: chooseTools(request.with),
      directory,
      command: request.commandLine,
      signal,
      onProgress: ({ cell, tool, done, total }) => console.note(`${done + 1}/${total} ${tool}: ${cell.queue}, ${cell.scenario}`)
    })
    return present(results, draw, request, console)
  }, `profiles recorded so far are kept in ${directory}`)
}

/**
 * What the profiles are compared with is looked up before they are taken.
 *
 * @param {ProfileRequest} request
 * @returns {(results: Results) => string[]} writes the differences, and returns their files
 */
function createDrawing ({ against, queue = [] }) {
  if (against === undefined) return () => []
  const other = queue.find(({ spec }) => spec === against)
  if (other) return results => writeDifferences(results, results, { from: other.name })
  const baseline = readResults(against)
  return results => writeDifferences(baseline, results, {})
}

/**
 * @param {string[]} names
 * @throws {UsageError} for an unknown tool
 */
function chooseTools (names) {
  if (names.includes('all')) return tools
  return names.map(name => {
    const tool = tools.find(tool => tool.name === name)
    if (!tool) throw new UsageError(`--with must be any of ${tools.map(({ name }) => name).join(', ')}, or all, got "${name}"`)
    return tool
  })
}

/**
 * What is known is printed first: a drawing that cannot be written must not cost it.
 *
 * @param {Results} results
 * @param {(results: Results) => string[]} draw
 * @param {ProfileRequest} request
 * @param {Console} console
 */
function present (results, draw, request, console) {
  const { style } = console
  console.show(request, { document: () => takenProfilesDocument(results), value: summarise(results) })
  const read = readProfiles(results)
  const heaviest = read.profiles.map(({ sample, heavy }) =>
    `${style.bold(sample.queue)}: its heaviest functions\n  ticks parent  name\n${renderHeaviest([...heavy.javascript, ...heavy.native], HEAVIEST)}\n`)
  if (!request.json) console.print(['', ...heaviest].join('\n'))
  writeProfiles(results, read)
  const differences = draw(results)
  console.note(`\nprofiles: ${path.join(results.directory, PROFILES)}`)
  for (const file of differences) console.note(`difference: ${file}`)
  const failures = results.samples.flatMap(({ kind, queue, scenario, failure }) => kind === 'profile' && failure ? [`${queue} on ${scenario}: ${failure.message}`] : [])
  if (failures.length === results.samples.length) throw new MeasurementError(`nothing was recorded: ${failures[0]}`)
  if (failures.length > 0) throw new MeasurementError(`${failures.length} of ${results.samples.length} profiles failed, first ${failures[0]}`)
  return 0
}
