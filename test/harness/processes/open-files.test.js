/** The open files that a plan needs. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import os from 'node:os'
import { assertOpenFiles } from '../../../harness/processes/open-files.js'

test('the process that needs most open files is the one that counts', () => {
  const planOf = (/** @type {Record<string, number>[]} */ ...all) =>
    /** @type {any} */ ({
      queues: [{}, {}],
      scenarios: [
        { name: 'keep-alive', kind: 'http' },
        { name: 'refresh', kind: 'micro' }
      ],
      cells: [
        { scenario: 'refresh', params: { size: 1e6 } },
        ...all.map(params => ({ scenario: 'keep-alive', params }))
      ]
    })
  assertOpenFiles(planOf(), 116)
  assert.throws(() => assertOpenFiles(planOf(), 115), {
    exitCode: 2,
    message: 'this run needs 116 open files in one process, but the limit is 115: run "ulimit -n 116" first'
  })
  assertOpenFiles(planOf({ connections: 10_000 }), 10_102)
  const plan = planOf({ connections: 100 }, { connections: 9000, idle: 1000, threads: 4 }, { connections: 200 })
  assert.throws(() => assertOpenFiles(plan, 10_000), {
    message:
      '10000 connections of keep-alive need 10108 open files in one process, but the limit is 10000: ' +
      'run "ulimit -n 10108" first, or measure with fewer connections'
  })
  // Each counting process has a hundred connections from here.
  const counting = 116 + 100 * os.availableParallelism()
  assertOpenFiles(planOf({ connections: 101 }), counting)
  assert.throws(() => assertOpenFiles(planOf({ connections: 101 }), counting - 1))
})
