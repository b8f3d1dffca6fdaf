import { describe, test } from 'node:test'
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import os from 'node:os'
import path from 'node:path'
import { readFileSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { checkSequences, checkSequencesBriefly, findBreaches } from '../../../harness/conformance/check-sequences.js'
import { promisesOf } from '../../../harness/conformance/declaration.js'
import { families } from '../../../harness/conformance/sequences.js'
import { checkBriefly, checkQueue } from '../../../harness/conformance/index.js'
import { loadQueue } from '../../../harness/measure/modules/load-queue.js'
import { queues } from '../../../queues/index.js'
import { temporaryFolder } from '../temporary-folder.js'
import { mutants, writeMutant } from './mutants/index.js'
import { stopCpuClock } from './stop-cpu-clock.js'

const TEMPLATE = new URL('../../../bin/templates/my-queue.js', import.meta.url)
const fixture = (/** @type {string} */ name) => new URL(`mutants/${name}.js`, import.meta.url)

// Adapters of packages are compared with the model in test/queues/contract.test.js, in a tenth of the time; the template is
// checked in test/bin/new.test.js.
describe('every queue of timerq keeps the contract', { concurrency: os.availableParallelism() }, () => {
  const listed = queues.filter(({ origin }) => origin === 'own')
  const others = [fixture('pooled-queue'), fixture('coarse-queue')]
    .map(url => ({ name: path.basename(url.pathname, '.js'), url: url.href }))
  for (const { name, url } of [...listed, ...others]) {
    test(name, async () => {
      const { holds, clauses } = await checkQueue(url)
      assert.deepEqual(clauses.filter(clause => !clause.holds).map(({ counterexample }) => counterexample), [])
      assert.equal(holds, true)
    })
  }
})

/**
 * @param {import('node:test').TestContext} t
 * @param {string} title
 */
function mutantOf (t, title) {
  const mutant = mutants.find(mutant => mutant.title === title)
  assert.ok(mutant, title)
  return writeMutant(mutant, path.join(temporaryFolder(t), 'queues'))
}

test('the same seed finds the same counter-examples', async t => {
  const { Queue, meta } = await loadQueue(mutantOf(t, 'a heap moves entries down without updating their index'))
  stopCpuClock(t)
  const [first, second] = [1, 2].map(() => checkSequences({ Queue, declared: promisesOf(meta), seed: 7 }))
  assert.deepEqual(first, second)
  assert.ok(first.broken.size > 0)
})

test('a clause that breaks only once is reported with what was seen', async t => {
  const file = path.join(temporaryFolder(t), 'fickle.js')
  writeFileSync(file, `
    import { BinaryHeap, meta as heapMeta } from '${queues.find(({ name }) => name === 'binary-heap').url}'
    export const meta = { ...heapMeta, name: 'fickle' }
    let asked = 0
    let hasLied = false
    export class Fickle extends BinaryHeap {
      nextExpiry () {
        if (++asked < 3000 || this.size === 0 || hasLied) return super.nextExpiry()
        hasLied = true
        return Number.MAX_SAFE_INTEGER
      }
    }`)
  stopCpuClock(t)
  const { Queue, meta } = await loadQueue(`file://${file}`)
  const { broken } = checkSequences({ Queue, declared: promisesOf(meta), seed: 1 })
  assert.deepEqual([...broken.keys()], ['next-expiry'])
  assert.match(broken.get('next-expiry') ?? '', /^\/\/ seen once, and not again .*\n\/\/ .*\ntest\('/)
})

test('an endless loop is a broken clause with the sequence that leads into it', async t => {
  const { clauses } = await checkQueue(mutantOf(t, 'cascading timers are linked where they were'))
  const { counterexample } = clauses.find(({ clause }) => clause === 'returns')
  assert.match(counterexample, /^\/\/ .*does not return\ntest\('Every operation returns', /)
  assert.match(counterexample, /queue\.(insert|reschedule)\(a, \d+\)/)
})

describe('a counter-example is a test: it fails with the broken queue and passes with the good one', () => {
  const cases = {
    'a wheel fires one millisecond early': 'never-early',
    'the last timer of a slot is lost when level 1 cascades': 'on-time',
    'a cancellation does not reduce size': 'size',
    'a restart within the slot keeps the old deadline': 'state',
    'due timers are collected first, so that a callback cannot cancel them': 'same-batch',
    'a timer leaves only after its callback': 'inside-expire',
    'a timer whose callback throws is started again': 'throwing',
    'advance swallows what a callback throws': 'throwing',
    'the cached minimum outlives a move of its timer': 'drain',
    'ties fire in the reverse order': 'order',
    'cancelling an idle timer returns true': 'cancel',
    'nextExpiry waits for the last deadline': 'next-expiry',
    'releasing a timer removes the entry of another one': 'release',
    'the last timer of a slot is lost when level 6 cascades': 'far-deadlines',
    'a list of more than 1000 released handles contains one of them twice': 'release',
    'an array that grows past 1024 timers loses what it held': 'on-time'
  }
  for (const [title, clause] of Object.entries(cases)) {
    test(`${clause}: ${title}`, async t => {
      const broken = mutantOf(t, title)
      const counterexample = await counterexampleOf(t, broken, clause)
      assert.equal(await passes(t, counterexample, broken), false)
      assert.equal(await passes(t, counterexample, goodOne(t, title)), true)
    })
  }
})

/**
 * Tries and shortens as long as there is something to try, however slow the machine is.
 *
 * @param {import('node:test').TestContext} t
 * @param {string} url
 * @param {string} clause
 */
async function counterexampleOf (t, url, clause) {
  stopCpuClock(t)
  const { Queue, meta } = await loadQueue(url)
  const subject = { Queue, declared: promisesOf(meta), seed: 1 }
  for (const found of findBreaches(subject)) {
    if (found.clause === clause) return found.shorten()
  }
  assert.fail(`${clause} is not found to be broken`)
}

test('the number of sequences tried is reported', async t => {
  const { Queue, meta } = await loadQueue(queues.find(({ name }) => name === 'binary-heap').url)
  const subject = { Queue, declared: promisesOf(meta), seed: 1 }
  stopCpuClock(t)
  const { tried, planned, largest } = checkSequences(subject).sequences
  assert.equal(tried, planned)
  assert.deepEqual(largest, { tried: 200_000, planned: 200_000 })
  stopCpuClock(t, 2e6)
  const short = checkSequences(subject).sequences
  assert.equal(short.tried, families.length)
  assert.deepEqual(short.largest, { tried: 200, planned: 200_000 })
})

test('the counter-example of a queue that breaks only with many timers has as few as possible', async t => {
  const url = mutantOf(t, 'an array that grows past 1024 timers loses what it held')
  const counterexample = await counterexampleOf(t, url, 'on-time')
  assert.match(counterexample, /^\/\/ with 1040 timers pending: .* has not fired at/)
  assert.ok(counterexample.split('\n').length < 20, counterexample)
})

describe('a brief check', () => {
  test('finds nothing wrong with a good queue', async () => {
    assert.deepEqual(await checkBriefly(queues.find(({ name }) => name === 'binary-heap').url), [])
  })

  test('returns the sentences of the clauses that a queue breaks', async () => {
    const sentences = await checkBriefly(new URL('../../fixtures/queues/early.js', import.meta.url))
    assert.ok(sentences.includes('Nothing fires early'), String(sentences))
  })

  test('does not wait for an endless loop', async t => {
    assert.ok((await checkBriefly(mutantOf(t, 'cascading timers are linked where they were'))).includes('Every operation returns'))
  })

  test('spends at most a tenth of a second on each family of sequences', async t => {
    const { Queue, meta } = await loadQueue(queues.find(({ name }) => name === 'binary-heap').url)
    let tried = 0
    class Counted extends Queue {
      constructor () {
        super()
        tried++
      }
    }
    stopCpuClock(t, 1e5)
    checkSequencesBriefly({ Queue: Counted, declared: promisesOf(meta), seed: 1 })
    assert.equal(tried, families.length)
  })
})

/**
 * @param {import('node:test').TestContext} t
 * @param {string} title  Of the mutant.
 */
function goodOne (t, title) {
  const mutant = mutants.find(mutant => mutant.title === title)
  return writeMutant({ ...mutant, to: mutant.from }, path.join(temporaryFolder(t), 'queues'))
}

/**
 * @param {import('node:test').TestContext} t
 * @param {string} counterexample
 * @param {string} queueUrl
 */
async function passes (t, counterexample, queueUrl) {
  const [, className] = /new (\w+)\(\)/.exec(counterexample)
  const file = path.join(temporaryFolder(t), 'pasted.test.mjs')
  writeFileSync(file, [
    "import assert from 'node:assert/strict'",
    "import { test } from 'node:test'",
    `import { ${className} } from '${queueUrl}'`,
    counterexample
  ].join('\n'))
  // The test runner marks its children by this variable. The pasted test must run on its own.
  const { NODE_TEST_CONTEXT, ...env } = process.env
  return promisify(execFile)(process.execPath, [file], { env }).then(() => true, () => false)
}

test('checking something that is not a queue is a usage error', async t => {
  const missing = new URL('no-such-queue.js', import.meta.url)
  await assert.rejects(checkQueue(missing), { exitCode: 2, message: /cannot be loaded/ })
  const file = path.join(temporaryFolder(t), 'no-class.js')
  writeFileSync(file, 'export const meta = {}')
  await assert.rejects(checkQueue(`file://${file}`), { exitCode: 2, message: /exports one class/ })
})

test('a queue that declares nothing is reported, and its behaviour is still checked', async t => {
  const file = path.join(temporaryFolder(t), 'silent.js')
  writeFileSync(file, readFileSync(TEMPLATE, 'utf8').replace('export const meta', 'const meta'))
  const { clauses } = await checkQueue(`file://${file}`)
  const broken = clauses.filter(({ holds }) => !holds)
  assert.deepEqual(broken.map(({ clause }) => clause), ['meta', 'complexity-insert', 'complexity-cancel',
    'complexity-reschedule', 'complexity-nextExpiry', 'complexity-advance'])
  assert.match(broken[0].counterexample, /exports no meta/)
})
