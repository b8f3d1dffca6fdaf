import { test } from 'node:test'
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'

const PROGRAMS = 25
/**
 * @type {(ops: string[], ...inner: fc.Arbitrary<object>[]) => fc.Arbitrary<object>} A step, and the steps of its
 *   callback.
 */
const stepOf = (ops, ...inner) =>
  fc.record({
    op: fc.constantFrom('start', 'start', 'start', 'interval', 'clear', 'refresh', ...ops),
    nth: fc.nat({ max: 20 }),
    delay: fc.constantFrom(0, 1, 1, 2, 5, 8),
    then: inner.length === 0 ? fc.constant([]) : fc.array(inner[0], { maxLength: 3 })
  })
/** @param {string[]} ops */
const programOf = ops => fc.array(stepOf(ops, stepOf(ops, stepOf(ops))), { minLength: 2, maxLength: 12 })
// After an error, ticks run before the next timer, unlike in Node.
const program = fc.oneof(programOf(['tick', 'promise']), programOf(['throw']))

test('programs of timer calls: events come in the order of Node', () => {
  const seed = Date.now()
  const programs = fc.sample(program, { numRuns: PROGRAMS, seed })
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [fileURLToPath(new URL('programs.js', import.meta.url))],
    { input: JSON.stringify(programs), encoding: 'utf8', timeout: 60_000 }
  )
  assert.equal(stdout.slice(0, 4000), '', `seed ${seed}`)
  assert.equal(status, 0, stderr)
})
