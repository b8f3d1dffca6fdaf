/** Every queue passes the full check, and all of it is tried where time allows. */
import { describe, test } from 'node:test'
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
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
