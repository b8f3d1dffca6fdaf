/** Processes of queues, one by one: what they must fire, and how they are timed, counted and weighed. */
import { after, test } from 'node:test'
import assert from 'node:assert/strict'
import { SampleError } from '../../../../harness/model/errors.js'
import { runMicroHeat } from '../../../../harness/measure/heat/micro.js'
import { QueueProcess } from '../../../../harness/measure/micro/queue-process.js'
import { Reference } from '../../../../harness/measure/micro/reference.js'
import { microJob, runtime, urlOf } from '../entrants.js'
import { temporaryModule } from '../../temporary-folder.js'

const reference = new Reference()
after(() => reference.end())

/**
 * A heat of one queue.
 *
 * @param {import('../../../../harness/measure/heat/micro.js').MicroEntrant} entrant
 */
async function measureMicro (entrant) {
  const [result] = await runMicroHeat([entrant], { seed: 1 })
  if (result instanceof SampleError) throw result
  return result
}

/**
 * Works with the process of a queue, and ends it.
 *
 * @param {Parameters<typeof QueueProcess.start>[0]} job
 * @param {string[]} flags
 * @param {(process: QueueProcess) => Promise<void>} use
 */
async function withProcess (job, flags, use) {
  const runner = await QueueProcess.start(job, { expected: null, runtime, flags, pin: [] })
  try {
    await use(runner)
  } finally {
    await runner.end()
  }
}

test('a turn is as long for each phase of a cycle', () =>
  withProcess(microJob('queues/hierarchical-wheel.js', { scenario: 'staggered-expiry' }), [], async runner => {
    const turnMs = 10
    const { cpuMs, phases } = await runner.turn({ leadMs: 0, turnMs })
    assert.deepEqual(Object.keys(phases), ['startNsPerTimer', 'expireNsPerTimer'])
    assert.ok(cpuMs >= 2 * turnMs, `${cpuMs} ms`)
  }))

test('turns find the timers in the old generation, as in a server that has run for long', () =>
  withProcess(microJob('test/fixtures/queues/young.js'), ['--allow-natives-syntax'], async runner => {
    await runner.turn({ leadMs: 0, turnMs: 1 })
    await runner.drain()
  }))

test('where nothing expires, a queue that is always empty is not measured either', async () => {
  const job = microJob('test/fixtures/queues/empty.js')
  const expected = await reference.outcomeOf(job)
  assert.equal(expected.fired, 0)
  const message = 'had 0 timers pending instead of 50: run `timerq check`'
  await assert.rejects(measureMicro({ job, expected, runtime }), { kind: 'wrong', message })
})

for (const { flags, size, title } of [
  { flags: [], size: '16', title: 'all timed samples begin with a young generation of the same size' },
  { flags: ['--max-semi-space-size=32'], size: '32', title: 'the user can choose another size of the young generation' }
]) {
  test(title, async t => {
    const job = microJob(temporaryModule(
      t,
      `export * from ${JSON.stringify(urlOf('queues/binary-heap.js'))}
const given = process.execArgv.filter(flag => flag.startsWith('--max-semi-space-size=')).at(-1)
if (given !== '--max-semi-space-size=${size}') throw new Error(\`got \${given}\`)
`
    ))
    const { metrics } = await measureMicro({ job, expected: null, runtime: { ...runtime, flags } })
    assert.ok(metrics.nsPerOp > 0)
  })
}
