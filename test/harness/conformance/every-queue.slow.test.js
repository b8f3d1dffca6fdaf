/** Every queue passes the full check, and all of it is tried where time allows. */
import { describe, test } from 'node:test'
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { countWork } from '../../../harness/conformance/check.js'
import { checkQueue } from '../../../harness/conformance/index.js'
import { PLANNED, Search } from '../../../harness/conformance/subject/search.js'
import { queues } from '../../../queues/index.js'
import { temporaryFolder } from '../temporary-folder.js'
import { loaded, PATIENT } from './noticed.js'

const TEMPLATE = new URL('../../../bin/templates/my-queue.js', import.meta.url)
const FIXTURES = ['pooled-queue', 'coarse-queue', 'lazy-queue', 'scanning-wheel', 'numbered-queue'].map(
  name => new URL(`mutants/${name}.js`, import.meta.url).href
)
const listed = queues.filter(({ origin }) => origin !== 'built-in').map(({ url }) => url)

describe('every queue that `timerq list` shows keeps the contract', { concurrency: os.availableParallelism() }, () => {
  for (const url of [...listed, ...FIXTURES]) {
    test(path.basename(url, '.js'), async () => {
      const { clauses } = await checkQueue(url)
      assert.deepEqual(
        clauses.filter(({ holds }) => !holds),
        []
      )
    })
  }
})

test('with time for everything, all sequences and lives are tried', async () => {
  const heap = await loaded(new URL('../../../queues/binary-heap.js', import.meta.url).href)
  const search = new Search(heap, PATIENT)
  assert.deepEqual([...search.breaches()], [])
  assert.deepEqual({ tried: search.tried, largest: search.largest }, PLANNED)
})

/**
 * @param {import('node:test').TestContext} t
 * @param {string} members  Members of the class.
 */
function heapWith (t, members) {
  const file = path.join(temporaryFolder(t), 'heap.js')
  const heap = new URL('../../../queues/binary-heap.js', import.meta.url).href
  writeFileSync(
    file,
    `import { BinaryHeap, meta as heapMeta } from '${heap}'
    export const meta = { ...heapMeta, name: 'heap' }
    export class Heap extends BinaryHeap { ${members} }`
  )
  return `file://${file}`
}

test('a queue that is slow with many timers is tried with fewer, and no call is taken for endless', async t => {
  const slowly = 'if (this.size > 1000) for (let i = 0; i < 3e7; i++)'
  const url = heapWith(t, `nextExpiry () { ${slowly}; return super.nextExpiry() }`)
  const search = new Search(await loaded(url), { ...PATIENT, seconds: 0.01 })
  assert.deepEqual([...search.breaches()], [])
  assert.equal(search.largest, 200)
})

test('a call that is endless only while work is counted is found, and nothing else is said to be counted', async t => {
  const broken = await countWork(heapWith(t, 'insert (...args) { while (this.size === 300); super.insert(...args) }'))
  assert.match(String(broken.get('returns')), /^with 256 timers pending: insert \(one duration\) did not return within 3 s/)
  assert.match(String(broken.get('complexity-advance')), /^not counted/)
})

test('a queue that declares nothing is reported, and its behaviour is still checked', async t => {
  const file = path.join(temporaryFolder(t), 'silent.js')
  writeFileSync(file, readFileSync(TEMPLATE, 'utf8').replace('export const meta', 'const meta'))
  const { clauses } = await checkQueue(`file://${file}`)
  const broken = clauses.filter(({ holds }) => !holds)
  assert.deepEqual(
    broken.map(({ clause }) => clause),
    [
      'meta',
      'complexity-insert',
      'complexity-cancel',
      'complexity-reschedule',
      'complexity-nextExpiry',
      'complexity-advance'
    ],
    broken.map(({ clause, counterexample }) => `${clause}: ${counterexample}`).join('\n')
  )
  assert.match(String(broken[0].counterexample), /exports no meta/)
})
