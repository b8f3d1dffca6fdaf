/** Shards of a run, and `timerq merge`. */
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { readResults } from '../../harness/store/results.js'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { TIMERQ, timerqHere as timerq, words } from './timerq.js'

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

test('machines are never compared: the report says which measured what, and shows no growth across them', async t => {
  const cwd = bothShards(t)
  const growthIn = async (/** @type {string} */ name) => {
    assert.equal((await timerq(words`merge 1 2 --out ${name}`, { cwd })).code, 0)
    const { growth, warnings } = (await timerq(['report', name, '--format', 'json'], { cwd })).json
    const isShown = (/** @type {string} */ name) => growth.some((/** @type {any} */ { metric }) => metric === name)
    return { shown: [isShown('nsPerOp'), isShown('workPerOp')], warnings }
  }
  assert.deepEqual((await growthIn('same')).shown, [true, true])

  const file = path.join(cwd, '2/run.json')
  writeFileSync(file, readFileSync(file, 'utf8').replace(/"cpu": ".*"/, '"cpu": "Other"'))
  const { shown, warnings } = await growthIn('apart')
  assert.deepEqual(shown, [false, true])
  assert.match(warnings.join(), /tables come from different machines, compare within a table only: .*; \d+ x Other/)
  const { stdout } = await timerq('report apart --format markdown', { cwd })
  assert.match(
    stdout,
    /^\| machine of 1 +\| .* GiB; refresh-one-duration, size 400; refresh-one-duration, size 600 +\|$/m
  )
  assert.match(stdout, /^\| machine of 2 +\| \d+ x Other, .* GiB; refresh-one-duration, size 500 +\|$/m)
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

test('what does not fit on the disk leaves nothing behind that would be in the way', async t => {
  const cwd = bothShards(t)
  const file = path.join(cwd, '2/samples.jsonl')
  const [first, ...others] = readFileSync(file, 'utf8').split('\n')
  writeFileSync(
    file,
    [
      JSON.stringify({ ...JSON.parse(first), warnings: [{ kind: 'lost', text: 'long '.repeat(20_000) }] }),
      ...others
    ].join('\n')
  )
  // No file may have more than 32 KiB: the plan fits, the samples do not.
  const merge = words`-c ${'ulimit -f 32; exec "$0" "$@"'} ${process.execPath} ${TIMERQ} merge 1 2 --out whole`
  const { code, stderr } = await new Promise(resolve =>
    execFile('bash', merge, { cwd }, (error, _stdout, stderr) => resolve({ code: error?.code, stderr }))
  )
  assert.equal(code, 4)
  assert.match(
    stderr,
    /^timerq: cannot write to whole: EFBIG.*\. Nothing of it is kept: try again, or choose another with --out\n$/
  )
  assert.ok(!existsSync(path.join(cwd, 'whole/run.json')))
  assert.equal((await timerq('merge 1 2 --out whole', { cwd })).code, 0)
})

test('runs of different plans are not merged', async t => {
  const cwd = bothShards(t)
  await timerq(words`${RUN} --seed 6 --shard 2/2 --out b`, { cwd })
  await timerq(words`${RUN} --seed 5 --shard 2/2 --time-limit 9 --out c`, { cwd })
  cpSync(path.join(cwd, '1'), path.join(cwd, 'edited'), { recursive: true })
  const file = path.join(cwd, 'edited/run.json')
  writeFileSync(file, readFileSync(file, 'utf8').replace(/"sha256": ".*"/, '"sha256": "of another file"'))
  for (const [other, part] of [
    ['b', 'settings'],
    ['c', 'settings'],
    ['edited', 'queues']
  ]) {
    const { code, stderr } = await timerq(words`merge 1 ${other} --out d`, { cwd })
    assert.equal(code, 2)
    assert.match(stderr, new RegExp(`${other} has other ${part} than 1`))
  }
})
