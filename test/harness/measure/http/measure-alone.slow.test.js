/** Real servers, clusters, sockets and load generators, for one second each. */
import { after, before, describe, test } from 'node:test'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { serverJob, take, urlOf } from '../entrants.js'
import { needs } from '../../../needs.js'
import { freePorts } from '../../../ports.js'

/**
 * @param {string} scenario
 * @param {Record<string, number>} params
 * @param {Partial<import('../../../../harness/measure/http/running-server.js').HttpJob>} [more]
 */
const measure = (scenario, params, more = {}) =>
  take('alone', { ...serverJob('queues/binary-heap.js', scenario, params), ...more })

const files = { connections: 4, files: 4, records: 20, readsPerWrite: 2, split: 1 }

describe('servers of files', () => {
  /** @type {string} */
  let folder
  const { TMPDIR } = process.env
  before(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'timerq-test-'))
    process.env.TMPDIR = folder
  })
  after(() => {
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
    rmSync(folder, { recursive: true })
  })

  for (const [scenario, workers] of /** @type {const} */ ([['files-async', 1], ['files-cluster', 2]])) {
    test(
      `${scenario} of ${workers} loses no append, and measures reads and writes separately`,
      { skip: needs('wrk') },
      async () => {
        const {
          metrics,
          details: { client, window },
          warnings
        } = await measure(
          `scenarios/${scenario}.js`,
          { workers, ...files },
          { hasAllCores: true, load: { generator: 'wrk' } }
        )
        assert.deepEqual(warnings, [], 'no timer was left behind')
        assert.deepEqual(readdirSync(folder), [])
        assert.equal(metrics.errors, 0)
        const { GET, POST } = client.operations
        // All cycles of a connection are whole, except for the first and the last.
        assert.ok(
          Math.abs(GET.requests - files.readsPerWrite * POST.requests) <= files.readsPerWrite * files.connections,
          `${GET.requests} reads, ${POST.requests} writes`
        )
        assert.ok(GET.requests + POST.requests <= window.requests)
        for (const {
          latencyMs: { p50, p99, max }
        } of [GET, POST]) {
          assert.ok(p50 > 0 && p50 <= p99 && p99 <= max)
        }
        const { pendingPeak } = window.timers
        assert.ok(pendingPeak >= files.connections, `${pendingPeak} timers in all workers`)
      }
    )
  }

  test('an append that was confirmed but not made fails the sample', async () => {
    await assert.rejects(measure('test/fixtures/scenarios/forgetful.js', { workers: 2, ...files }), {
      kind: 'wrong',
      message: /^\d+ of \d+ appends that were answered are lost$/
    })
  })

  test('a worker that dies under load ends the sample, and the files are removed', async () => {
    // Early enough even on a loaded machine, whose workers answer few requests in a second.
    await assert.rejects(
      measure(
        'scenarios/files-cluster.js',
        { workers: 2, ...files },
        { queueUrl: urlOf('test/fixtures/queues/dying.js?after=50') }
      ),
      { kind: 'crash', message: /^the process ended with exit code 1: Fatal: worker [12] of 2 ended with exit code 3$/ }
    )
    assert.deepEqual(readdirSync(folder), [])
  })

  test('a cluster of a queue that cannot be loaded says so', async () => {
    await assert.rejects(
      measure('scenarios/files-cluster.js', { workers: 2, ...files }, { queueUrl: urlOf('no-queue.js') }),
      { kind: 'crash', message: /^worker [12] of 2: .*no-queue\.js/ }
    )
  })
})

describe('a window', () => {
  const few = { connections: 20, threads: 1 }

  test('it counts the start and end of its own connections, and none of the warm-up', async () => {
    const { details: { window } } = await measure('scenarios/keep-alive.js', few)
    const { started, cancelled } = window.timers
    assert.ok(started >= 20 && started <= 21, `${started} timers started`)
    assert.equal(cancelled, started)
  })

  test(
    'connections that were never open give a warning: a thread of wrk opens as many as every other',
    { skip: needs('wrk') },
    async () => {
      const {
        warnings,
        details: { window }
      } = await measure('scenarios/keep-alive.js', { connections: 7, threads: 4 }, { load: { generator: 'wrk' } })
      assert.equal(window.connectedPeak, 4)
      assert.ok(
        warnings.some(({ text }) => text === 'only 4 of 7 were ever open; measure for more seconds'),
        JSON.stringify(warnings)
      )
    }
  )

  test('no load outlives a server that dies', async () => {
    const port = await freePorts(1)
    await assert.rejects(
      measure(
        'scenarios/keep-alive.js',
        { ...few, seconds: 20 },
        { port, queueUrl: urlOf('test/fixtures/queues/dying.js') }
      ),
      { kind: 'crash' }
    )
    const server = createServer().listen(port, '127.0.0.1')
    let connections = 0
    server.on('connection', () => {
      connections++
    })
    await setTimeout(300)
    server.close()
    assert.equal(connections, 0)
  })
})

describe('idle connections', () => {
  test('they stay open throughout, each with a timer, and are gone afterwards', async () => {
    const port = await freePorts(1)
    const {
      warnings,
      details: { window }
    } = await measure('scenarios/idle-sockets.js', { connections: 3, threads: 1, idle: 300, pause: 10 }, { port })
    assert.deepEqual(
      warnings.filter(({ kind }) => kind !== 'shared-core'),
      []
    )
    assert.equal(window.timers.pendingPeak, 303)
    assert.ok(
      window.requests < 600,
      `${window.requests} requests in a second: connections must pause, and idle ones must send nothing`
    )
    const [error] = await once(connect(port, '127.0.0.1'), 'error')
    assert.equal(error.code, 'ECONNREFUSED')
  })

  test('a server that closes some of them fails the sample', async () => {
    await assert.rejects(
      measure('test/fixtures/scenarios/impatient.js', { connections: 3, threads: 1, idle: 20, pause: 10 }),
      { kind: 'load', message: '20 of 20 idle connections were closed' }
    )
  })
})
