/** Elements that built-in methods touch. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'

const BUILT_INS = new URL('../../../../harness/subject/count/built-ins.js', import.meta.url).href

/** Calls, and the elements that they touch of a hundred. */
const CALLS = {
  'typed.copyWithin(3, 2, 10)': 8,
  'typed.copyWithin(-2, 0)': 2,
  'array.copyWithin(0, -5)': 5,
  'array.splice(90, 1)': 10,
  'array.splice(-10, 1, 7)': 1,
  'array.indexOf(30)': 31
}

test('built-in methods touch the elements that they search, shift or copy', () => {
  // In a process of its own, where the built-ins stay watched.
  const program = `
    import { watchBuiltIns } from ${JSON.stringify(BUILT_INS)}
    const { count } = watchBuiltIns()
    const touched = {}
    for (const call of ${JSON.stringify(Object.keys(CALLS))}) {
      const typed = new Int32Array(100)
      const array = Array.from({ length: 100 }, (_, i) => i)
      count()
      eval(call)
      touched[call] = 8 * count().work
    }
    process.stdout.write(JSON.stringify(touched))`
  const touched = execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' })
  assert.deepEqual(JSON.parse(touched), CALLS)
})
