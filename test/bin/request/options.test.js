import { test } from 'node:test'
import assert from 'node:assert/strict'
import { parseFlags } from '../../../bin/request/options.js'

test('every combination of flags is measured; only the first = ends the name of one', () => {
  assert.deepEqual(parseFlags('--expose-gc --max-semi-space-size=16,32'), [['--expose-gc', '--max-semi-space-size=16'], ['--expose-gc', '--max-semi-space-size=32']])
  assert.deepEqual(parseFlags('--import=./hook.js?a=b'), [['--import=./hook.js?a=b']])
  assert.deepEqual(parseFlags(''), [[]])
})
