/** `timerq run` with servers, end to end. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { readResults } from '../../harness/store/results.js'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { needs } from '../needs.js'
import { pick, runServers, timerq, words } from './timerq.js'
import { assertWholeRun, SMALL } from './whole-run.js'

const FIXTURES = new URL('../fixtures/queues/', import.meta.url).pathname
const ONE_MICRO = ['--scenario', 'refresh-one-duration', ...SMALL]

test(
  'one comparison, end to end, under the load of wrk; its report can be made again from the results alone',
  { skip: needs('wrk') },
  t =>
    assertWholeRun(t, {
      load: 'wrk',
      env: process.env,
      queues: 'binary-heap,duration-lists,node',
      options: [],
      micro: 3,
      rounds: 2
    })
)

test('a run that was too short is continued until its ratios are known, or the time is used up', async t => {
  const out = path.join(temporaryFolder(t), 'results')
  const first = await timerq(words`run --queue binary-heap,duration-lists ${ONE_MICRO} --rounds 1 --out ${out}`)
  assert.match(first.stdout, /^Nothing is certain yet|^No queue is shown|more heats would tell/m)
  const [next] = /^timerq run --resume .*$/m.exec(first.stdout.split('Next: ')[1]) ?? ['']
  assert.match(next, /--until 3%$/)
  // A precision that is reached on every machine, as if it had been asked for before.
  const file = path.join(out, 'run.json')
  const { plan, ...run } = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, JSON.stringify({ ...run, plan: { ...plan, end: { ...plan.end, until: 10_000 } } }))
  const { code, stdout, stderr } = await timerq([
    ...next.replace(' --until 3%', '').split(' ').slice(1),
    '--budget',
    '1h'
  ])
  assert.equal(code, 0, stderr)
  assert.match(stderr, /^\d+\/3600 s at most, /m)
  assert.doesNotMatch(stdout, /not known within/)
  const {
    run: {
      ended,
      plan: { end }
    },
    ...results
  } = readResults(out)
  const samples = [...results.samples]
  assert.equal(samples.filter(({ kind }) => kind === 'heat').length, 2 * 5, 'five heats tell how well a ratio is known')
  assert.deepEqual([ended !== null, end.until, end.budgetSeconds], [true, 10_000, 3600])
})

test('a queue that is measured alone is said to be so before it is measured, with how to compare it', async t => {
  const { code, stderr } = await timerq(
    'run --queue duration-lists --scenario start-cancel --size 400 --preset ci --rounds 1',
    { cwd: temporaryFolder(t) }
  )
  assert.equal(code, 0, stderr)
  assert.match(
    stderr,
    /^duration-lists is measured alone, with nothing to compare it with .* --queue duration-lists,lazy-wheel\)\n0\/2 samples/
  )
})

test('a queue that breaks the contract is measured where its timers agree, and its figures are marked', async t => {
  const out = path.join(temporaryFolder(t), 'results')
  const { code, stdout, stderr } = await timerq([
    'run',
    '--queue',
    `${FIXTURES}careless.js,binary-heap`,
    ...ONE_MICRO,
    '--rounds',
    '1',
    '--out',
    out
  ])
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^\s*careless ! +\d/m)
  assert.match(stdout, /^! breaks the contract: /m)
  assert.match(
    stdout.replaceAll(/\s+/g, ' '),
    /warning: careless breaks the contract, .* Not kept: cancel stops a timer/
  )
  const { run } = readResults(out)
  assert.deepEqual(
    run.plan.queues.map(({ breaks }) => breaks !== undefined),
    [true, false, false],
    'the control is the third'
  )
})

test('run --profile adds the share of each queue, from separate samples', async t => {
  const { code, stderr, out, json } = await runServers(t, words`--profile --queue sorted-list --scenario keep-alive
    --preset ci --rounds 1 --sweep connections=200 --json`)
  assert.equal(code, 0, stderr)
  const [{ metrics }] = json.cells
  assert.ok(metrics.queueShare.median > 0 && metrics.queueShare.median < 1)
  assert.equal(metrics.cpuMicrosPerRequest.n, 1)
  assert.ok(existsSync(path.join(out, 'profiles')))
})

test('a queue can come from a package', async t => {
  const folder = temporaryFolder(t)
  const home = path.join(folder, 'node_modules', 'my-heap')
  mkdirSync(home, { recursive: true })
  writeFileSync(path.join(home, 'package.json'), '{ "name": "my-heap", "type": "module", "exports": "./index.js" }')
  writeFileSync(
    path.join(home, 'index.js'),
    `export * from ${JSON.stringify(new URL('../../queues/binary-heap.js', import.meta.url).href)}\n`
  )
  const { code, stderr } = await timerq(
    words`run --queue npm:my-heap ${ONE_MICRO} --rounds 1 --out results`,
    { cwd: folder }
  )
  assert.equal(code, 0, stderr)
  assert.equal([...readResults(path.join(folder, 'results')).samples][0].queue, 'my-heap')
})

// What is measured in virtual time does not depend on the load.
test('without wrk, autocannon takes its place, and its report can be made again', async t => {
  const cwd = temporaryFolder(t)
  const env = { ...process.env, PATH: cwd }
  const options = words`--scenario keep-alive --rounds 1`
  await assertWholeRun(t, { load: 'autocannon', env, queues: 'binary-heap,node', options, micro: 0, rounds: 1 })
})

test('a load generator that fails is reported, and what was measured before is kept', async t => {
  const cwd = temporaryFolder(t)
  const wrk = path.join(cwd, 'wrk')
  writeFileSync(wrk, '#!/bin/sh\necho "wrk 9.9" >&2\necho "out of luck" >&2\nexit 1\n')
  chmodSync(wrk, 0o755)
  const { code, stderr, json } = await timerq(
    words`run --queue binary-heap --scenario refresh-one-duration,keep-alive ${SMALL} --rounds 1 --json`,
    { cwd, env: { ...process.env, PATH: `${cwd}:${process.env.PATH}` } }
  )
  assert.equal(code, 4)
  assert.match(stderr, /wrk ended with exit code 1: out of luck/)
  const { cells, skipped } = json
  assert.deepEqual(
    pick(cells, 'scenario'),
    ['refresh-one-duration']
  )
  assert.equal(skipped[0].kind, 'load')
})
