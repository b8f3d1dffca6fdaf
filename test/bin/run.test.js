import { test } from 'node:test'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { assertMeasured } from '../../bin/commands/run.js'
import { readResults } from '../../harness/store/results.js'
import { kill, MEASURING, WatchedRun } from '../faults/watched-run.js'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { needs } from '../needs.js'
import { runServers, timerq, timerqHere } from './timerq.js'

const FIXTURES = new URL('../fixtures/queues/', import.meta.url).pathname
/** The preset has two rounds. */
const CI = ['--preset', 'ci', '--seed', '1']
const SMALL = [...CI, '--size', '400']
const ONE_MICRO = ['--scenario', 'refresh-one-duration', ...SMALL]

for (const { load, queues, options, micro, rounds } of [
  { load: 'wrk', queues: 'binary-heap,duration-lists,node', options: [], micro: 3, rounds: 2 },
  // What is measured in virtual time does not depend on the load.
  { load: 'autocannon', queues: 'binary-heap,node', options: ['--scenario', 'keep-alive', '--rounds', '1'], micro: 0, rounds: 1 }
]) {
  test(`one comparison, end to end, under the load of ${load}; its report can be made again from the results alone`, { skip: load === 'wrk' && needs('wrk') }, async t => {
    const { code, stdout, stderr, out } = await runServers(t, ['--queue', queues, ...(micro > 0 ? SMALL : CI), ...options, '--sweep', 'connections=20', '--load', load, '--json'])
    assert.equal(code, 0, stderr)

    const servers = queues.split(',').length
    const summary = JSON.parse(stdout)
    assert.equal(summary.format, 'timerq-summary/1')
    assert.match(summary.environment.loadGenerator, new RegExp(`^${load} \\d`))
    assert.deepEqual(summary.skipped, [])
    assert.equal(summary.cells.length, micro * 2 + servers)
    for (const { scenario, metrics } of summary.cells) {
      const measured = scenario === 'keep-alive' ? metrics.cpuMicrosPerRequest : metrics.nsPerOp
      assert.equal(measured.n, rounds)
      assert.ok(measured.low <= measured.median && measured.median <= measured.high && measured.low > 0)
      if (scenario === 'keep-alive') {
        assert.equal(metrics.errors.median, 0)
        assert.ok(metrics.requestsPerSecond.median > 0)
      } else {
        assert.ok(metrics.workPerOp.median > 0)
      }
    }

    const { run, ...results } = readResults(out)
    const samples = [...results.samples]
    // Heats of every cell, a solo window of every server; counts of all queues but Node's own timers.
    assert.equal(samples.length, rounds * (micro * 2 + servers) + servers + micro * 2 + servers - 1)
    assert.notEqual(run.ended, null)
    const plugged = samples.find(({ queue, scenario }) => queue === 'binary-heap' && scenario === 'keep-alive')
    assert.ok(plugged?.details.window.timers.refreshed > 0, 'the sockets refresh timers of the queue')
    assert.match(stderr, /report:.*report\.md/)
    const report = readFileSync(path.join(out, 'report.md'), 'utf8')
    assert.match(report, /binary-heap/)
    assert.deepEqual(await timerqHere(['report', out, '--format', 'markdown']), { code: 0, stdout: report, stderr: '' })
  })
}

test('the table fits 80 columns and marks best and control', async t => {
  const out = path.join(temporaryFolder(t), 'results')
  const { code, stdout, stderr } = await timerq(['run', '--queue', 'duration-lists,sorted-list-from-tail', '--scenario',
    'refresh-one-duration,staggered-expiry', ...SMALL, '--rounds', '1', '--out', out], { env: { ...process.env, NO_COLOR: '1' } })
  assert.equal(code, 0)
  assert.ok(stdout.split('\n').every(line => line.length <= 80 || line.includes(': ')), stdout)
  assert.match(stdout, /^= duration-lists .*1\.00x/m)
  assert.match(stdout, /\d \*/)
  assert.doesNotMatch(stderr, /alone/)
})

test('a run that is interrupted keeps its samples, says how to resume, and is resumed to its end', async t => {
  const run = new WatchedRun(t, ['run', '--queue', 'binary-heap,duration-lists', ...ONE_MICRO], { hold: { at: MEASURING, after: 1 } })
  await run.held()
  kill(run.pid, 'SIGINT')
  run.release()
  assert.equal(await run.end(), 130)
  assert.match(run.stderr, /timerq run --resume /)
  const { out } = run
  const kept = [...readResults(out).samples]
  // Two queues: two heats and one count each.
  const planned = 2 * (2 + 1)
  assert.ok(kept.length > 0 && kept.length < planned)

  assert.equal((await timerq(['run', '--resume', out])).code, 0)
  const { run: { ended }, ...results } = readResults(out)
  const samples = [...results.samples]
  assert.deepEqual(samples.slice(0, kept.length), kept)
  assert.equal(samples.length, planned)
  assert.notEqual(ended, null)
})

test('a run that was too short is continued until its ratios are known, or the time is used up', async t => {
  const out = path.join(temporaryFolder(t), 'results')
  const first = await timerq(['run', '--queue', 'binary-heap,duration-lists', ...ONE_MICRO, '--rounds', '1', '--out', out])
  assert.match(first.stdout, /^Nothing is certain yet|^No queue is shown|may be as fast/m)
  const [next] = /^timerq run --resume .*$/m.exec(first.stdout.split('Next: ')[1]) ?? ['']
  assert.match(next, /--until 3%$/)
  // A precision that is reached on every machine, as if it had been asked for before.
  const file = path.join(out, 'run.json')
  const { plan, ...run } = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, JSON.stringify({ ...run, plan: { ...plan, settings: { ...plan.settings, until: 10_000 } } }))
  const { code, stdout, stderr } = await timerq([...next.replace(' --until 3%', '').split(' ').slice(1), '--budget', '1h'])
  assert.equal(code, 0, stderr)
  assert.match(stderr, /^\d+\/3600 s at most, /m)
  assert.doesNotMatch(stdout, /not known within/)
  const { run: { ended, plan: { settings } }, ...results } = readResults(out)
  const samples = [...results.samples]
  assert.equal(samples.filter(({ kind }) => kind === 'heat').length, 2 * 5, 'five heats tell how well a ratio is known')
  assert.deepEqual([ended !== null, settings.until, settings.budgetSeconds], [true, 10_000, 3600])
})

test('a queue file of the user is measured beside the others; its faults do not affect them, and one that fires early has no figure, not even where no timer expires', async t => {
  const out = path.join(temporaryFolder(t), 'results')
  const { code, stdout, stderr } = await timerq(['run', '--queue', './dying.js,./early.js,binary-heap', '--scenario',
    'refresh-one-duration,staggered-expiry', ...SMALL, '--rounds', '1', '--out', out, '--json'], { cwd: FIXTURES })
  assert.equal(code, 4)
  assert.match(stderr, /\d of 6 cells failed, first dying on /)
  const { cells, skipped } = JSON.parse(stdout)
  assert.deepEqual(new Set(skipped.map((/** @type {any} */ { queue, kind }) => `${queue} ${kind}`)), new Set(['dying crash', 'early wrong']))
  const early = skipped.filter((/** @type {any} */ { queue }) => queue === 'early')
  assert.deepEqual(early.map((/** @type {any} */ { scenario }) => scenario).sort(), ['refresh-one-duration', 'staggered-expiry'])
  assert.equal(early.find((/** @type {any} */ { scenario }) => scenario === 'refresh-one-duration').reason, 'it fired a timer early: run `timerq check`')
  assert.ok(cells.every((/** @type {any} */ { queue }) => queue !== 'early'))
  assert.equal(cells.filter((/** @type {any} */ { queue }) => queue === 'binary-heap').length, 2)
})

test('a queue that is measured alone is said to be so before it is measured, with how to compare it', async t => {
  const { code, stderr } = await timerq(['run', '--queue', 'duration-lists', '--scenario', 'start-cancel', '--size', '400', '--preset', 'ci', '--rounds', '1'], { cwd: temporaryFolder(t) })
  assert.equal(code, 0, stderr)
  assert.match(stderr, /^duration-lists is measured alone, with nothing to compare it with .* --queue duration-lists,binary-heap\)\n0\/2 samples/)
})

test('a queue that breaks the contract is measured where its timers agree, and its figures are marked', async t => {
  const out = path.join(temporaryFolder(t), 'results')
  const { code, stdout, stderr } = await timerq(['run', '--queue', `${FIXTURES}careless.js,binary-heap`, ...ONE_MICRO, '--rounds', '1', '--out', out])
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^\s*careless ! +\d/m)
  assert.match(stdout, /^! breaks the contract: /m)
  assert.match(stdout.replaceAll(/\s+/g, ' '), /warning: careless breaks the contract, .* Not kept: cancel stops a timer/)
  const { run } = readResults(out)
  assert.deepEqual(run.plan.queues.map(({ breaks }) => breaks !== undefined), [true, false])
})

test('run --profile adds the share of each queue, from separate samples', async t => {
  const { code, stdout, stderr, out } = await runServers(t, ['--profile', '--queue', 'sorted-list', '--scenario', 'keep-alive', '--preset', 'ci',
    '--rounds', '1', '--sweep', 'connections=200', '--json'])
  assert.equal(code, 0, stderr)
  const [{ metrics }] = JSON.parse(stdout).cells
  assert.ok(metrics.queueShare.median > 0 && metrics.queueShare.median < 1)
  assert.equal(metrics.cpuMicrosPerRequest.n, 1)
  assert.ok(existsSync(path.join(out, 'profiles')))
})

test('a queue can come from a package', async t => {
  const folder = temporaryFolder(t)
  const home = path.join(folder, 'node_modules', 'my-heap')
  mkdirSync(home, { recursive: true })
  writeFileSync(path.join(home, 'package.json'), '{ "name": "my-heap", "type": "module", "exports": "./index.js" }')
  writeFileSync(path.join(home, 'index.js'), `export * from ${JSON.stringify(new URL('../../queues/binary-heap.js', import.meta.url).href)}\n`)
  const { code, stderr } = await timerq(['run', '--queue', 'npm:my-heap', ...ONE_MICRO, '--rounds', '1', '--out', 'results'], { cwd: folder })
  assert.equal(code, 0, stderr)
  assert.equal([...readResults(path.join(folder, 'results')).samples][0].queue, 'my-heap')
})

test('a missing wrk is reported when it is asked for; autocannon takes its place when it is not asked for', async t => {
  const cwd = temporaryFolder(t)
  const env = { ...process.env, PATH: cwd }
  const server = ['run', '--queue', 'node', '--scenario', 'keep-alive', '--preset', 'ci', '--rounds', '1', '--sweep', 'connections=5']
  const missing = await timerq([...server, '--load', 'wrk'], { cwd, env })
  assert.equal(missing.code, 2)
  assert.match(missing.stderr, /wrk is not on PATH/)
  const replaced = await timerq([...server, '--json'], { cwd, env })
  assert.equal(replaced.code, 0, replaced.stderr)
  assert.match(JSON.parse(replaced.stdout).environment.loadGenerator, /^autocannon/)
})

test('a load generator that fails is reported, and what was measured before is kept', async t => {
  const cwd = temporaryFolder(t)
  const wrk = path.join(cwd, 'wrk')
  writeFileSync(wrk, '#!/bin/sh\necho "wrk 9.9" >&2\necho "out of luck" >&2\nexit 1\n')
  chmodSync(wrk, 0o755)
  const { code, stdout, stderr } = await timerq(['run', '--queue', 'binary-heap', '--scenario', 'refresh-one-duration,keep-alive', ...SMALL, '--rounds', '1', '--json'],
    { cwd, env: { ...process.env, PATH: `${cwd}:${process.env.PATH}` } })
  assert.equal(code, 4)
  assert.match(stderr, /wrk ended with exit code 1: out of luck/)
  const { cells, skipped } = JSON.parse(stdout)
  assert.deepEqual(cells.map((/** @type {any} */ { scenario }) => scenario), ['refresh-one-duration'])
  assert.equal(skipped[0].kind, 'load')
})

test('a port that is taken is reported before anything is measured', async t => {
  const cwd = temporaryFolder(t)
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (other.address())
  const { code, stderr } = await timerqHere(['run', '--queue', 'node', '--scenario', 'keep-alive', '--port', String(port)], { cwd })
  other.close()
  assert.equal(code, 2)
  assert.match(stderr, new RegExp(`--port ${port} cannot be used \\(EADDRINUSE\\)`))
  assert.ok(!existsSync(path.join(cwd, 'results')))
})

test('what a run had no time for is no failure, as long as something was measured', () => {
  const at = (/** @type {string} */ queue) => ({ scenario: 'start-cancel', params: {}, queue, runtime: 'v20' })
  const measured = /** @type {any[]} */ ([{ ...at('heap'), metrics: {}, warnings: [] }])
  const skip = (/** @type {string} */ kind) => /** @type {any} */ ({ ...at('list'), kind, reason: `it was ${kind}` })
  assertMeasured({ cells: measured, skipped: [] })
  assertMeasured({ cells: measured, skipped: [skip('out-of-time')] })
  for (const [cells, kinds, message] of /** @type {[any[], string[], string][]} */ ([
    [[], ['out-of-time'], 'nothing was measured: it was out-of-time'],
    [measured, ['out-of-time', 'crash'], '1 of 2 cells failed, first list on start-cancel: it was crash'],
    [measured, ['time-limit'], 'list has no figure, first on start-cancel: it was time-limit']
  ])) assert.throws(() => assertMeasured({ cells, skipped: kinds.map(skip) }), { exitCode: 4, message })
})
