/** Shards of a run, and `timerq merge`. */
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { readResults } from '../../harness/store/results.js'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { timerqHere as timerq, words } from './timerq.js'

const THREE_TABLES = words`run --preset ci --rounds 1 --scenario refresh-one-duration --size 400,500,600`
const RUN = [...THREE_TABLES, '--queue', 'binary-heap,duration-lists']

/** Two shards of a plan, measured once for all tests: 1 and 2. */
const MEASURED = mkdtempSync(path.join(os.tmpdir(), 'timerq-test-'))
before(async () => {
  for (const shard of ['1/2', '2/2']) {
    const { code, stderr } = await timerq([...RUN, '--seed', '5', '--shard', shard, '--out', shard[0]], {
      cwd: MEASURED
    })
    assert.equal(code, 0, stderr)
  }
})
after(() => rmSync(MEASURED, { recursive: true }))

/**
 * A folder with both shards.
 *
 * @param {import('node:test').TestContext} t
 */
function bothShards (t) {
  const folder = temporaryFolder(t)
  cpSync(MEASURED, folder, { recursive: true })
  return folder
}

test('shards hold whole tables, and together they are the whole plan', async t => {
  const cwd = bothShards(t)
  const [first, second] = ['1', '2'].map(name => readResults(path.join(cwd, name)).run.plan.cells)
  assert.deepEqual(
    first.map(({ params: { size } }) => size),
    [400, 400, 600, 600]
  )
  assert.deepEqual(
    second.map(({ params: { size } }) => size),
    [500, 500]
  )

  const { code, stderr } = await timerq('merge 1 2 --out whole', { cwd })
  assert.equal(code, 0, stderr)
  const { samples, run } = readResults(path.join(cwd, 'whole'))
  // A heat and a count of every cell.
  assert.equal(samples.length, 2 * 6)
  assert.equal(run.plan.cells.length, 6)
  assert.match((await timerq('report whole', { cwd })).stdout, /size 600/)

  const again = await timerq('merge 1 1 --out other', { cwd })
  assert.equal(again.code, 2)
  assert.match(again.stderr, /two of the directories/)
})

test('a missing shard is reported, and can be merged later', async t => {
  const cwd = temporaryFolder(t)
  for (const shard of ['1/3', '2/3', '3/3']) {
    await timerq(words`${THREE_TABLES} --queue binary-heap --seed 5 --shard ${shard} --out ${shard[0]}`, {
      cwd
    })
  }
  const { code, stderr } = await timerq('merge 1 3 --out part', { cwd })
  assert.equal(code, 0, stderr)
  assert.match(stderr, /4 samples, 2 of 3 cells/)
  const { cells, skipped } = (await timerq('report part --format json', { cwd })).json
  assert.equal(cells.length, 2)
  assert.deepEqual(
    skipped.map((/** @type {any} */ { params, kind }) => [params.size, kind]),
    [[500, 'missing']]
  )

  assert.equal((await timerq('merge part 2 --out whole', { cwd })).code, 0)
  const {
    run: { parts },
    samples
  } = readResults(path.join(cwd, 'whole'))
  assert.deepEqual(
    parts?.map(({ directory }) => directory),
    ['1', '3', '2']
  )
  // A heat and a count of every cell.
  assert.equal(samples.length, 2 * 3)
})
