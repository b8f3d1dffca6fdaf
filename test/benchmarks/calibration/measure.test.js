import { test } from 'node:test'
import assert from 'node:assert/strict'
import path from 'node:path'
import { keepEnvironment, readCalibration } from './measure.js'
import { UsageError } from '../../../harness/model/errors.js'
import { temporaryFolder } from '../../harness/temporary-folder.js'

const here = /** @type {any} */ ({ cores: 2, cpu: 'Quick', node: 'v20', loadAverage: [0.5, 0, 0] })

test('samples keep where they were taken, whenever and wherever they are read', t => {
  const directory = path.join(temporaryFolder(t), 'calibration')
  keepEnvironment(directory, here)
  keepEnvironment(directory, { ...here, loadAverage: [7, 7, 7] })
  assert.deepEqual(readCalibration(directory), { environment: here, samples: [], counts: [] })
})

test('samples of another machine or another Node are not mixed in', t => {
  const directory = temporaryFolder(t)
  keepEnvironment(directory, here)
  assert.throws(() => keepEnvironment(directory, { ...here, cpu: 'Slow' }), UsageError)
  assert.throws(() => keepEnvironment(directory, { ...here, node: 'v24' }), /was measured on 2 x Quick, Node v20, this is 2 x Quick, Node v24: move it away/)
})

test('what was not measured cannot be read', t => {
  assert.throws(() => readCalibration(temporaryFolder(t)), /environment\.json is not there: measure first/)
})
