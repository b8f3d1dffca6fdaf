/** One comparison, end to end, and its report made again from the results alone. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { readResults } from '../../harness/store/results.js'
import { runServers, timerqHere, words } from './timerq.js'

/** The preset has two rounds. */
export const CI = words`--preset ci --seed 1`
export const SMALL = [...CI, '--size', '400']

/**
 * @param {import('node:test').TestContext} t
 * @param {{load: string, env: NodeJS.ProcessEnv, queues: string, options: string[], micro: number, rounds: number}} run
 *   `load`: the generator that is found; `micro`: queues that are measured without servers, too.
 */
export async function assertWholeRun (t, { load, env, queues, options, micro, rounds }) {
  const { code, stdout, stderr, out } = await runServers(
    t,
    words`--queue ${queues} ${micro > 0 ? SMALL : CI} ${options} --sweep connections=20 --json`,
    env
  )
  assert.equal(code, 0, stderr)

  const servers = queues.split(',').length
  const summary = JSON.parse(stdout)
  assert.equal(summary.format, 'timerq-summary/1')
  assert.match(summary.environment.loadGenerator, new RegExp(`^${load} \\d`))
  assert.deepEqual(summary.skipped, [])
  assert.equal(summary.cells.length, micro * 2 + servers)
  for (const { scenario, metrics } of summary.cells) {
    const measured = scenario === 'keep-alive' ? metrics.cpuMicrosPerRequest : metrics.nsPerOp
    assert.equal(measured.n, rounds)
    assert.ok(measured.low <= measured.median && measured.median <= measured.high && measured.low > 0)
    if (scenario === 'keep-alive') {
      assert.equal(metrics.errors.median, 0)
      assert.ok(metrics.requestsPerSecond.median > 0)
    } else {
      assert.ok(metrics.workPerOp.median > 0)
    }
  }

  const { run, ...results } = readResults(out)
  const samples = [...results.samples]
  // Heats of every cell, a solo window of every server; counts of all queues but Node's own timers.
  assert.equal(samples.length, rounds * (micro * 2 + servers) + servers + micro * 2 + servers - 1)
  assert.notEqual(run.ended, null)
  const plugged = samples.find(({ queue, scenario }) => queue === 'binary-heap' && scenario === 'keep-alive')
  assert.ok(plugged?.details.window.timers.refreshed > 0, 'the sockets refresh timers of the queue')
  assert.match(stderr, /report:.*report\.md/)
  const report = readFileSync(path.join(out, 'report.md'), 'utf8')
  assert.match(report, /binary-heap/)
  const again = await timerqHere(['report', out, '--format', 'markdown'])
  assert.deepEqual({ ...again }, { code: 0, stdout: report, stderr: '' })
}
