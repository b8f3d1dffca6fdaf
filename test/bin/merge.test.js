/** Shards of a run, and `timerq merge`. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { readResults } from '../../harness/store/results.js'
import { temporaryFolder } from '../harness/temporary-folder.js'
import './brief.js'
import { pick, timerqHere as timerq, words } from './timerq.js'

const FOUR_TABLES = words`run --preset ci --rounds 1 --seed 5 --scenario refresh-one-duration --size 400,500,600,700
  --queue binary-heap`

test('shards divide the tables; a missing one is reported, and merged later', async t => {
  const cwd = temporaryFolder(t)
  const cellsOf = (/** @type {string} */ name) => readResults(path.join(cwd, name)).run.plan.cells
  for (const shard of ['1/3', '2/3', '3/3']) {
    const { code, stderr } = await timerq([...FOUR_TABLES, '--shard', shard, '--out', shard[0]], { cwd })
    assert.equal(code, 0, stderr)
  }
  assert.deepEqual(
    ['1', '2', '3'].map(name => cellsOf(name).map(({ params: { size } }) => size)),
    [[400, 700], [500], [600]]
  )
  const { code, stderr } = await timerq('merge 1 3 --out part', { cwd })
  assert.equal(code, 0)
  // A heat and a count of every cell.
  assert.match(stderr, /^results: part \(6 samples, 3 of 4 cells\); next: timerq report part$/m)
  const { cells, skipped } = (await timerq('report part --format json', { cwd })).json
  assert.equal(cells.length, 3)
  assert.deepEqual(
    pick(skipped, 'params', 'kind'),
    [[{ size: 500 }, 'missing']]
  )

  assert.equal((await timerq('merge part 2 --out whole', { cwd })).code, 0)
  const { run, samples } = readResults(path.join(cwd, 'whole'))
  assert.deepEqual(pick(run.parts ?? [], 'directory'), ['1', '3', '2'])
  assert.deepEqual([samples.length, cellsOf('whole').length], [8, 4])
  assert.match((await timerq('report whole', { cwd })).stdout, /size 500/)
  const killed = path.join(cwd, '2/run.json')
  writeFileSync(killed, readFileSync(killed, 'utf8').replace(/"ended": ".*?"/, '"ended": null'))
  assert.equal((await timerq('merge 1 2 --out open', { cwd })).code, 0)
  assert.match((await timerq('report open', { cwd })).stdout, /^warning: the run did not end: /m)
  const again = await timerq('merge 1 1 --out other', { cwd })
  assert.equal(again.code, 2)
  assert.match(again.stderr, /two of the directories/)
})
