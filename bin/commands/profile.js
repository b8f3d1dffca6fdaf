import path from 'node:path'
import { MeasurementError, UsageError } from '../../harness/model/errors.js'
import { loadScenario } from '../../harness/load-scenario.js'
import { profilePlan, PROFILES } from '../../harness/profile/run.js'
import { tools } from '../../harness/profile/tools/index.js'
import { readResults } from '../../harness/results.js'
import { runId } from '../../harness/run.js'
import { summarise } from '../../harness/summary.js'
import { renderHeaviest } from '../../reports/render/heavy-profile.js'
import { renderProfiles } from '../../reports/documents/profile-tables.js'
import { scenarios } from '../../scenarios/index.js'
import { interruptible } from '../interruptible.js'
import { planFromOptions, planOptions } from '../planning.js'
import { terminalStyle } from '../terminal-style.js'
import { writeDifferences, writeProfiles } from '../write-profiles.js'

export const command = 'profile'
export const describe = 'Show where the CPU goes, and how far to believe it'

/** Six thousand ticks: a share of 10 % with a standard error of 0.4 points. */
const DEFAULT_SECONDS = '3'
const HEAVIEST = 3

/** @param {import('yargs').Argv} yargs */
export const builder = yargs => planOptions(yargs)
  .option('with', { type: 'string', default: 'cpu', requiresArg: true, describe: `What to record: ${tools.map(({ name }) => name).join(', ')}, or all` })
  .option('seconds', { type: 'string', requiresArg: true, describe: `Length of the window (default: ${DEFAULT_SECONDS})` })
  .option('connections', { type: 'string', requiresArg: true, describe: 'Open connections: 400,1600' })
  .option('against', { type: 'string', requiresArg: true, describe: 'Also draw the difference: to a queue, or a directory of earlier profiles' })
  .option('out', { type: 'string', requiresArg: true, describe: 'Results directory (default: results/profile-<time>)' })
  .option('json', { type: 'boolean', describe: 'Print timerq-summary/1 instead of tables' })
  .example('$0 profile --queue sorted-list,hierarchical-wheel', 'how much of a server is its timer queue?')
  .example('$0 profile --with gc --scenario start-cancel', 'which queue makes garbage?')

/**
 * @param {any} argv
 * @returns {Promise<number>}
 */
export async function handler (argv) {
  const { streams, against } = argv
  const baseline = against && !argv.queue?.includes(against) ? readResults(against) : null
  const directory = argv.out ?? path.join('results', `profile-${runId(new Date())}`)
  return interruptible(async signal => {
    const plan = await planFromOptions(await withWindow(argv))
    const results = await profilePlan(plan, {
      tools: chooseTools(argv.with),
      directory,
      command: ['timerq', ...process.argv.slice(2)],
      signal,
      onProgress: ({ cell, tool, done, total }) => streams.stderr.write(`${done + 1}/${total} ${tool}: ${cell.queue}, ${cell.scenario}\n`)
    })
    const differences = against ? writeDifferences(baseline ?? results, results, baseline ? {} : { from: against }) : []
    return present(results, differences, argv)
  }, () => streams.stderr.write(`timerq: stopped; profiles recorded so far are kept in ${directory}\n`))
}

/**
 * @param {string} names
 * @throws {UsageError} for a tool that is not known
 */
function chooseTools (names) {
  if (names === 'all') return tools
  return names.split(',').map(name => {
    const tool = tools.find(tool => tool.name === name)
    if (!tool) throw new UsageError(`--with must be of ${tools.map(({ name }) => name).join(', ')} and all, got "${name}"`)
    return tool
  })
}

/**
 * The plan's options for what a profile needs: servers, once, for longer than a quick sample.
 *
 * @param {any} argv
 */
async function withWindow (argv) {
  const { scenario = ['keep-alive'], rounds = '1', preset, seconds, connections, sweep = [] } = argv
  const chosen = await Promise.all(scenarios.filter(({ name }) => scenario.includes(name)).map(({ url }) => loadScenario(url)))
  const usesServers = chosen.some(({ kind }) => kind === 'http')
  const length = seconds ?? (usesServers && preset === 'quick' ? DEFAULT_SECONDS : undefined)
  return {
    ...argv,
    scenario,
    rounds,
    sweep: [...sweep, ...(length ? [`seconds=${length}`] : []), ...(connections ? [`connections=${connections}`] : [])]
  }
}

/**
 * @param {import('../../harness/results.js').Results} results
 * @param {string[]} differences
 * @param {any} argv
 */
function present (results, differences, { json, color, streams }) {
  const style = terminalStyle(streams.stdout, color)
  const heaviest = writeProfiles(results).map(({ queue, heavy }) =>
    `${style.bold(queue)}: its heaviest functions\n  ticks parent  name\n${renderHeaviest([...heavy.javascript, ...heavy.native], HEAVIEST)}\n`)
  const text = [renderProfiles(results, style), ...heaviest].join('\n')
  streams.stdout.write(json ? JSON.stringify(summarise(results), null, 2) + '\n' : text)
  streams.stderr.write(`\nprofiles: ${path.join(results.directory, PROFILES)}\n`)
  for (const file of differences) streams.stderr.write(`difference: ${file}\n`)
  const failures = results.samples.flatMap(({ queue, scenario, failure }) => failure ? [`${queue} on ${scenario}: ${failure.message}`] : [])
  if (failures.length === results.samples.length) throw new MeasurementError(`nothing was recorded: ${failures[0]}`)
  if (failures.length > 0) throw new MeasurementError(`${failures.length} of ${results.samples.length} profiles failed, first ${failures[0]}`)
  return 0
}
