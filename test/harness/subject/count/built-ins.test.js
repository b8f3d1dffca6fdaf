/** Elements that built-in methods touch. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'

const BUILT_INS = new URL('../../../../harness/subject/count/built-ins.js', import.meta.url).href

/**
 * Counts in a separate process, because the built-ins stay watched.
 *
 * @param {string} call  On an array of a hundred numbers.
 * @returns {number} elements
 */
function touchedBy (call) {
  const program = `
    import { watchBuiltIns } from ${JSON.stringify(BUILT_INS)}
    const { count } = watchBuiltIns()
    const array = ${call.startsWith('typed') ? 'new Int32Array(100)' : 'Array.from({ length: 100 }, (_, i) => i)'}
    count()
    array.${call.replace('typed.', '')}
    process.stdout.write(String(8 * count().work))`
  return Number(execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' }))
}

for (const { call, elements } of [
  { call: 'typed.copyWithin(3, 2, 10)', elements: 8 },
  { call: 'typed.copyWithin(-2, 0)', elements: 2 },
  { call: 'copyWithin(0, -5)', elements: 5 },
  { call: 'splice(90, 1)', elements: 10 },
  { call: 'splice(-10, 1, 7)', elements: 1 },
  { call: 'indexOf(30)', elements: 31 }
]) {
  test(`${call} touches ${elements} of 100 elements`, () => assert.equal(touchedBy(call), elements))
}
