/** Samples of a calibration that is stopped, continued and packed. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { appendFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { append, keepEnvironment, pack, readSoFar, unpack } from './samples.js'
import { UsageError } from '../../harness/model/errors.js'
import { temporaryFolder } from '../../test/harness/temporary-folder.js'

const here = /** @type {any} */ ({ cores: 2, cpu: 'Quick', node: 'v20', loadAverage: [0.5, 0, 0] })
/** @type {import('./samples.js').Count} */
const count = { kind: 'counts', cell: 'heap on refresh', metric: 'workPerOp', same: true, base: 9, head: 9 }

test('samples keep where they were taken, whenever and wherever they are read', t => {
  const directory = path.join(temporaryFolder(t), 'calibration')
  keepEnvironment(directory, here)
  keepEnvironment(directory, { ...here, loadAverage: [7, 7, 7] })
  append(directory, [count])
  const file = path.join(directory, 'samples.jsonl.gz')
  writeFileSync(file, pack(directory))
  assert.deepEqual(unpack(file), { environment: here, measurements: [count] })
})

test('samples of another machine or another Node are not mixed in', t => {
  const directory = temporaryFolder(t)
  keepEnvironment(directory, here)
  assert.throws(() => keepEnvironment(directory, { ...here, cpu: 'Slow' }), UsageError)
  assert.throws(
    () => keepEnvironment(directory, { ...here, node: 'v24' }),
    /was measured on 2 x Quick, Node v20, this is 2 x Quick, Node v24: move it away/
  )
})

test('a line that a killed calibration was writing is dropped, and measuring goes on behind the others', t => {
  const directory = temporaryFolder(t)
  append(directory, [count])
  appendFileSync(path.join(directory, 'samples.jsonl'), '{"kind":"cou')
  assert.deepEqual(readSoFar(directory), [count])
  append(directory, [count])
  assert.deepEqual(readSoFar(directory), [count, count])
})

test('what was not measured cannot be read', t => {
  const directory = temporaryFolder(t)
  assert.throws(() => pack(directory), /environment\.json is not there: measure first/)
  assert.throws(
    () => unpack(path.join(directory, 'samples.jsonl.gz')),
    /samples\.jsonl\.gz is not there: measure first/
  )
})
