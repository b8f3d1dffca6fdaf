/** Workers of a cluster and their cores. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pins, serverJob, take } from '../../measure/entrants.js'
import { temporaryFolder } from '../../temporary-folder.js'

const params = { workers: 3, connections: 3, files: 2, records: 1, readsPerWrite: 1, split: 1 }

test('a worker may tell a process manager that it is ready', async () => {
  const job = serverJob(null, 'test/fixtures/scenarios/telling.js', params)
  const { metrics } = await take('alone', job, { pins })
  assert.ok(metrics.requestsPerSecond > 0)
})

test('workers are spread over the cores, beginning with the core without the load', async t => {
  const folder = temporaryFolder(t)
  const [taskset, log] = ['taskset', 'log'].map(name => path.join(folder, name))
  writeFileSync(taskset, `#!/bin/sh\necho "$@" >> ${log}\n`, { mode: 0o755 })
  const cores = ['first', 'second'].map(core => [taskset, '-c', core])
  const job = serverJob(null, 'scenarios/files-cluster.js', params)
  await take('alone', job, { pins: { ...pins, cores } })
  const calls = readFileSync(log, 'utf8')
    .trim()
    .split('\n')
    .sort()
    .map(line => line.split(' '))
  assert.deepEqual(
    calls.map(call => call.slice(0, 4).join(' ')),
    ['-a -p -c first', '-a -p -c second', '-a -p -c second']
  )
  assert.equal(new Set(calls.map(call => call.at(-1))).size, 3)
})
