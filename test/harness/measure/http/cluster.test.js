import { test } from 'node:test'
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Child } from '../../../../harness/processes/child.js'
import { measureHttp } from '../../../../harness/measure/http/measure.js'
import { temporaryFolder } from '../../temporary-folder.js'

const CLUSTER = new URL('../../../../harness/measure/http/cluster.js', import.meta.url)
const runtime = { name: process.version, path: process.execPath, flags: [] }
/** @param {string} file */
const urlOf = file => new URL(`../../../../${file}`, import.meta.url).href

/**
 * A program in taskset's place that writes down what it is asked to do.
 *
 * @param {import('node:test').TestContext} t
 */
function fakeTaskset (t) {
  const folder = temporaryFolder(t)
  const [program, log] = ['taskset', 'log'].map(name => path.join(folder, name))
  writeFileSync(program, `#!/bin/sh\necho "$@" >> ${log}\n`, { mode: 0o755 })
  return {
    cores: ['first', 'second'].map(core => [program, '-c', core]),
    pinned: () => readFileSync(log, 'utf8').trim().split('\n').sort().map(line => line.split(' '))
  }
}

test('workers are spread over the cores, beginning with the one without the load', async t => {
  const { cores, pinned } = fakeTaskset(t)
  const child = new Child(CLUSTER, { runtime })
  t.after(() => child.end())
  const scenarioUrl = urlOf('scenarios/keep-alive.js')
  await child.ask({ type: 'listen', queueUrl: null, scenarioUrl, params: { connections: 3, threads: 1, seconds: 1 }, port: 0, workers: 3, cores }, 20_000)
  const calls = pinned()
  assert.deepEqual(calls.map(([, , , core]) => core), ['first', 'second', 'second'])
  assert.deepEqual(calls.map(call => call.slice(0, 3)), Array.from({ length: 3 }, () => ['-a', '-p', '-c']))
  assert.equal(new Set(calls.map(call => call.at(-1))).size, 3)
})

test('a server that has workers gets the cores to spread them over', async t => {
  const { cores, pinned } = fakeTaskset(t)
  const params = { workers: 2, connections: 2, seconds: 1, files: 2, records: 1, readsPerWrite: 1, split: 1 }
  const task = { queueUrl: null, scenarioUrl: urlOf('scenarios/files-cluster.js'), params, port: 0, warmupMs: 50, load: /** @type {const} */ ('autocannon') }
  await measureHttp(task, runtime, { subject: [], load: [], cores, note: '' })
  assert.deepEqual(pinned().map(([, , , core]) => core), ['first', 'second'])
})
