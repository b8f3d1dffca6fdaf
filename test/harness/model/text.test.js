/** Text that is shown. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { quoters } from '../../../harness/model/text.js'

test('a hint has the quotes of the shell at hand', () => {
  const all = (/** @type {'posix' | 'windows'} */ shell) =>
    ['./a,b.js', 'C:\\a\\b.js', 'C:\\a b\\c.js', 'it\'s "x"'].map(quoters[shell])
  assert.deepEqual(all('posix'), ['./a,b.js', "'C:\\a\\b.js'", "'C:\\a b\\c.js'", "'it'\\''s \"x\"'"])
  assert.deepEqual(all('windows'), ['"./a,b.js"', 'C:\\a\\b.js', '"C:\\a b\\c.js"', '"it\'s \\"x\\""'])
})
