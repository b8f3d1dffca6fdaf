/** The check itself: seeds, endless loops, shared state, stalls, brief checks and modules that are no queue. */
import { describe, test } from 'node:test'
import assert from 'node:assert/strict'
import path from 'node:path'
import { writeFileSync } from 'node:fs'
import { shortestFirst } from '../../../harness/conformance/clauses.js'
import { checkBriefly, checkQueue } from '../../../harness/conformance/index.js'
import { EFFORTS, Search } from '../../../harness/conformance/subject/search.js'
import { families } from '../../../harness/conformance/subject/programs.js'
import { returnsWithin } from '../../../harness/conformance/subject/watchdog.js'
import { temporaryFolder } from '../temporary-folder.js'
import { mutants, writeMutant } from './mutants/index.js'
import { loaded, PATIENT } from './noticed.js'

const HEAP = new URL('../../../queues/binary-heap.js', import.meta.url).href
const EARLY = new URL('../../fixtures/queues/early.js', import.meta.url)
const CARELESS = new URL('../../fixtures/queues/careless.js', import.meta.url).href
const HANG = 'cascading timers are linked where they were'

/**
 * @param {import('node:test').TestContext} t
 * @param {string} title
 */
function mutantOf (t, title) {
  const mutant = mutants.find(mutant => mutant.title === title) ?? assert.fail(title)
  return writeMutant(mutant, path.join(temporaryFolder(t), 'queues'))
}

/**
 * @param {import('node:test').TestContext} t
 * @param {string} source
 */
function written (t, source) {
  const file = path.join(temporaryFolder(t), 'queue.js')
  writeFileSync(file, source)
  return `file://${file}`
}

test('the same seed finds the same counter-examples', async t => {
  const queue = { ...(await loaded(mutantOf(t, 'a heap moves entries down without updating their index'))), seed: 7 }
  const effort = { ...PATIENT, share: 1 / 30, shortenSeconds: 1000, lives: 0 }
  const [first, second] = [1, 2].map(() => [...new Search(queue, effort).breaches()])
  assert.deepEqual(first, second)
  assert.ok(first.length > 0)
})

test('a clause that breaks only once is reported with what was seen', async t => {
  const queue = await loaded(
    written(
      t,
      `
    import { BinaryHeap, meta as heapMeta } from '${HEAP}'
    export const meta = { ...heapMeta, name: 'fickle' }
    let asked = 0
    let hasLied = false
    export class Fickle extends BinaryHeap {
      nextExpiry () {
        if (++asked < 3000 || this.size === 0 || hasLied) return super.nextExpiry()
        hasLied = true
        return Number.MAX_SAFE_INTEGER
      }
    }`
    )
  )
  const [{ clause, counterexample }, ...others] = new Search(queue, { ...PATIENT, share: 1 / 4, lives: 0 }).breaches()
  assert.equal(clause, 'next-expiry')
  assert.match(counterexample, /^\/\/ seen once, and not again .*\n\/\/ .*\ntest\('/)
  assert.deepEqual(others, [])
})

test('sequences that were tried are counted', async () => {
  const search = new Search(await loaded(HEAP), { ...PATIENT, seconds: 1e-9, lives: 0 })
  assert.deepEqual([...search.breaches()], [])
  // One of each family; a coarse clock stands still for some more.
  assert.ok(search.tried >= families.length && search.tried < 10 * families.length, `${search.tried}`)
  assert.equal(search.largest, 0)
})

test('an endless loop is a broken clause with the sequence that leads into it', async t => {
  const hanging = written(
    t,
    `export { meta } from '${HEAP}'
    import { BinaryHeap } from '${HEAP}'
    export class Hanging extends BinaryHeap { insert (...args) { while (this.size === 1); super.insert(...args) } }`
  )
  const { clauses, holds } = await checkQueue(hanging)
  assert.equal(holds, false)
  const counterexampleOf = (/** @type {string} */ name) =>
    clauses.find(({ clause }) => clause === name)?.counterexample ?? ''
  assert.match(
    counterexampleOf('returns'),
    /^\/\/ .* did not return within 0\.2 s of CPU time\ntest\('Every operation returns', [^]*queue\.(insert|reschedule)\(a, \d+\)/
  )
  assert.match(counterexampleOf('complexity-insert'), /not counted/)
})

test('queues that share state are shown side by side, and nothing else is blamed on them', async t => {
  const search = new Search(await loaded(mutantOf(t, 'all queues share one heap')), { ...PATIENT, lives: 0 })
  const [{ clause, counterexample }, ...others] = search.breaches()
  assert.equal(clause, 'instances')
  assert.match(counterexample, /^\/\/ .*; each queue alone passes: the queues share state/)
  assert.match(counterexample, /const queue = new Heap\(\)[^]*const other = new Heap\(\)/)
  assert.deepEqual(others, [])
})

test('a callback cancels its own timer and starts another of the same duration', async () => {
  const queue = await loaded(new URL('../../fixtures/queues/forgetful-lists.js', import.meta.url).href)
  const [breach] = new Search(queue, { ...PATIENT, shortenSeconds: 0, lives: 0 }).breaches()
  assert.match(breach.counterexample, /nextExpiry is \d+, though nothing is pending/)
})

test('an error of a call in a callback is blamed on that call', async t => {
  const mutant = mutantOf(t, 'cancel in a callback fails for a timer that is due')
  const [{ clause, counterexample }] = new Search(await loaded(mutant), { ...PATIENT, lives: 0 }).breaches()
  assert.equal(clause, 'throws-nothing')
  assert.match(counterexample, /^\/\/ queue\.cancel\(\w+\) in a callback threw Error: no such timer\n/)
})

test('the shortest test comes first, and clauses that hold come last', () => {
  const verdict = (/** @type {string} */ clause, /** @type {string | null} */ counterexample) => ({
    clause,
    sentence: clause,
    holds: counterexample === null,
    counterexample
  })
  const verdicts = [
    verdict('kept', null),
    verdict('counts', '3 blocks'),
    verdict('long', "// x\ntest('x', () => {\n})"),
    verdict('kept, too', null),
    verdict('short', "// x\ntest('x')")
  ]
  assert.deepEqual(
    shortestFirst(verdicts).map(({ clause }) => clause),
    ['short', 'long', 'counts', 'kept', 'kept, too']
  )
})

describe('a machine that stalls is not the queue\'s fault', () => {
  /**
   * A watchdog whose first watches end before anything is called.
   *
   * @param {number} stalls
   */
  const stalling = stalls => (/** @type {() => void} */ operate, /** @type {number} */ limitMs) =>
    stalls-- <= 0 && returnsWithin(operate, limitMs)
  const effort = { ...PATIENT, lives: 0, share: 1 / 100 }

  test('in sequences', async () => {
    const search = new Search(await loaded(HEAP), effort, stalling(2))
    assert.deepEqual([...search.breaches()], [])
    assert.equal(search.tried, families.reduce((sum, { runs }) => sum + Math.ceil(effort.share * runs), 0))
  })

  test('in sequences, and again when one is repeated with more time', async () => {
    assert.deepEqual([...new Search(await loaded(HEAP), effort, stalling(3)).breaches()], [])
  })

  test('in long lives', async () => {
    const search = new Search(await loaded(HEAP), { ...effort, lives: 200 }, stalling(2))
    assert.deepEqual([...search.breachesInLives()], [])
    assert.equal(search.largest, 200)
  })
})

describe('a brief check returns the sentences of the broken clauses', () => {
  test('none of a good queue', async () => assert.deepEqual(await checkBriefly(HEAP), []))

  test('those of a queue that fires early', async () => {
    assert.ok((await checkBriefly(EARLY)).includes('Nothing fires early'))
  })
})

describe('a brief check', () => {
  /** @param {string} queue */
  const clausesOf = async queue =>
    [...new Search(await loaded(queue), { ...EFFORTS.brief, seconds: Infinity }).breaches()].map(({ clause }) => clause)

  test('ends at an endless loop', async t => assert.deepEqual(await clausesOf(mutantOf(t, HANG)), ['returns']))

  test('blames a fault on the operation that has it, not on others of the program', async () => {
    assert.deepEqual(await clausesOf(CARELESS), ['cancel'])
  })
})

describe('a module that is no queue is a usage error', () => {
  test('a missing module', () =>
    assert.rejects(checkBriefly(new URL('no-such-queue.js', import.meta.url)), {
      exitCode: 2,
      message: /cannot be loaded/
    }))

  test('a module whose process ends is named, whatever its last words are', async t => {
    const queue = written(t, "console.error('Error: x.js: cannot be loaded: no'); process.exit(3)")
    await assert.rejects(checkQueue(queue), ({ exitCode, message }) => {
      assert.deepEqual([exitCode, message.startsWith(`${queue}: cannot be loaded: the process ended`)], [2, true], message)
      return true
    })
  })

  test('a module without a class', t =>
    assert.rejects(checkBriefly(written(t, 'export const meta = {}')), { exitCode: 2, message: /exports one class/ }))
})
