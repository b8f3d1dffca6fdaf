import path from 'node:path'
import { MeasurementError } from '../../harness/model/errors.js'
import { takeProfiles } from '../../harness/profile/run.js'
import { tools } from '../../harness/profile/tools/index.js'
import { readResults } from '../../harness/results.js'
import { resumeRun, runId, startRun } from '../../harness/run.js'
import { summarise } from '../../harness/summary.js'
import { documentOf } from '../../reports/documents/run.js'
import { renderTerminal } from '../../reports/render/terminal.js'
import { interruptible } from '../interruptible.js'
import { planFromOptions, planOptions } from '../planning.js'
import { createProgress } from '../progress.js'
import { terminalStyle } from '../terminal-style.js'
import { linkProfiles, readProfiles, writeProfiles } from '../write-profiles.js'
import { writeMarkdown } from '../write-report.js'

export const command = 'run'
export const describe = 'Measure queues on scenarios and compare them'

/** @param {import('yargs').Argv} yargs */
export const builder = yargs => planOptions(yargs)
  .option('out', { type: 'string', requiresArg: true, describe: 'Results directory (default: results/<time>)' })
  .option('resume', { type: 'string', requiresArg: true, describe: 'Continue a run that was stopped: its results directory' })
  .option('profile', { type: 'boolean', describe: 'Also record a CPU profile of every server, in extra samples' })
  .option('json', { type: 'boolean', describe: 'Print timerq-summary/1 instead of tables' })
  .example('$0 run', 'the main job: queues of the wiki on its scenarios')
  .example('$0 run --queue ./mine.js,binary-heap --scenario start-cancel --size 1000,100000', '')

/**
 * @param {any} argv
 * @returns {Promise<number>}
 */
export async function handler (argv) {
  const { streams } = argv
  const progress = createProgress(streams.stderr)
  const directory = argv.resume ?? argv.out ?? path.join('results', runId(new Date()))
  return interruptible(async signal => {
    const options = { onProgress: progress.show, signal }
    try {
      const results = argv.resume
        ? await resumeRun(directory, options)
        : await startRun(await planFromOptions(argv), { directory, command: commandLine(), ...options })
      progress.end()
      return present(argv.profile ? await profileBeside(results, signal, streams) : results, argv)
    } finally {
      progress.end()
    }
  }, () => streams.stderr.write(`timerq: stopped; finished samples are kept, continue with: timerq run --resume ${directory}\n`))
}

/**
 * A CPU profile of every server, in samples of their own: nothing is recorded while time is measured.
 *
 * @param {import('../../harness/results.js').Results} results
 * @param {AbortSignal} signal
 * @param {import('../main.js').Streams} streams
 */
async function profileBeside ({ directory, run }, signal, streams) {
  const { plan } = run
  await takeProfiles({ ...plan, settings: { ...plan.settings, rounds: 1 } }, {
    tools: tools.filter(({ name }) => name === 'cpu'),
    directory,
    signal,
    onProgress: ({ cell, done, total }) => streams.stderr.write(`profile ${done + 1}/${total}: ${cell.queue}, ${cell.scenario}\n`)
  })
  const results = readResults(directory)
  writeProfiles(results)
  return results
}

/**
 * @param {import('../../harness/results.js').Results} results
 * @param {any} argv
 */
function present (results, { json, color, streams }) {
  const summary = summarise(results)
  const report = path.join(results.directory, 'report.md')
  writeMarkdown(report, documentOf(results, summary, {
    profiles: readProfiles(results).profiles,
    profileFiles: linkProfiles(results, results.directory)
  }))
  streams.stdout.write(json ? JSON.stringify(summary, null, 2) + '\n' : renderTerminal(summary, terminalStyle(streams.stdout, color)))
  streams.stderr.write(`\nresults: ${results.directory}\nreport:  ${report}\n`)
  const failed = summary.skipped.filter(({ kind }) => kind !== 'time-limit')
  if (summary.cells.length === 0) throw new MeasurementError(`nothing was measured: ${summary.skipped[0].reason}`)
  if (failed.length > 0) {
    const [{ queue, scenario, reason }] = failed
    throw new MeasurementError(`${failed.length} of ${failed.length + summary.cells.length} cells failed, first ${queue} on ${scenario}: ${reason}`)
  }
  return 0
}

/** As typed, so that it can be typed again. */
function commandLine () {
  return ['timerq', ...process.argv.slice(2)]
}
