import { test } from 'node:test'
import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { timerq } from './timerq.js'

const TRACE = fileURLToPath(new URL('../fixtures/traces/fastify-app.trace', import.meta.url))
const ARGS = ['--trace', TRACE, '--queue', 'lazy-wheel,duration-lists', '--rounds', '10', '--budget', '60s', '--json']

test('run and recommend measure the same ratio of two queues on one trace', async t => {
  const cwd = temporaryFolder(t)
  const [run, recommendation] = await inTurn(['run', 'recommend'].map(command => async () => {
    const { code, stdout, stderr } = await timerq([command, ...ARGS, '--out', command], { cwd })
    assert.ok(code === 0 || code === 3, stderr)
    return JSON.parse(stdout)
  }))
  const { ratio } = run.cells.find((/** @type {any} */ { queue }) => queue === 'lazy-wheel').metrics.nsPerOp
  const recommended = recommendation.ranking.find((/** @type {any} */ { queue }) => queue === 'lazy-wheel').ratio
  const show = (/** @type {any} */ { median, low, high, n }) => `${median} (${low} to ${high}, ${n} heats)`
  assert.ok(ratio.low <= recommended.high && recommended.low <= ratio.high, `run ${show(ratio)}, recommend ${show(recommended)}`)
})

/**
 * @template T
 * @param {(() => Promise<T>)[]} tasks
 */
async function inTurn (tasks) {
  const results = []
  for (const task of tasks) results.push(await task())
  return results
}
