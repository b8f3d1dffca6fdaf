/** Servers' files and tests of the user, which take whole heats. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { cpSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { notSlower } from '../../bin/not-slower.js'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { project } from './project.js'
import { timerq, untilThereIsTime } from './timerq.js'

const WORKLOADS = fileURLToPath(new URL('../fixtures/workloads', import.meta.url))
const UNRULY = fileURLToPath(new URL('../fixtures/scenarios/unruly.js', import.meta.url))
const SERVER = fileURLToPath(new URL('../../bin/templates/my-server.js', import.meta.url))

test("a gate of a server's file measures the file of each side, on Node's own timers", async t => {
  const { root, git, edit } = project(t)
  mkdirSync(path.join(root, 'bench'))
  cpSync(SERVER, path.join(root, 'bench/server.js'))
  git('add', '.')
  git('commit', '--quiet', '--message', 'Add a server')
  edit(
    source =>
      source.replace(
        'keepAliveTimeout = 60_000',
        'keepAliveTimeout = (() => { throw new Error("the head was run") })()'
      ),
    'bench/server.js'
  )
  const { stdout } = await untilThereIsTime(() =>
    timerq(
      [
        'gate',
        '--base',
        'main',
        '--scenario',
        './bench/server.js',
        '--sweep',
        'connections=5',
        '--rounds',
        '1',
        '--load',
        'autocannon',
        '--json'
      ],
      { cwd: root }
    )
  )
  const {
    verdict,
    comparisons: [row]
  } = JSON.parse(stdout)
  assert.deepEqual(
    [verdict, row.scenario, row.queue, row.reason],
    ['invalid', 'my-server', 'node', 'head: the head was run']
  )
  edit(source => source.replace(/\(\(\) => .*/, '60_000'), 'bench/server.js')
  const same = await untilThereIsTime(() =>
    timerq(
      [
        'gate',
        '--base',
        'main',
        '--scenario',
        './bench/server.js',
        '--sweep',
        'connections=5',
        '--rounds',
        '1',
        '--load',
        'autocannon',
        '--json'
      ],
      { cwd: root }
    )
  )
  const [cpu] = JSON.parse(same.stdout).comparisons
  assert.deepEqual([cpu.metric, cpu.pairs], ['cpuMicrosPerRequest', 1], same.stderr)
})

test("a server's file that patches built-ins, opens a port and starts an interval is measured, gated and profiled, and the commands end", async t => {
  const { root, git } = project(t)
  cpSync(UNRULY, path.join(root, 'server.js'))
  git('add', '.')
  git('commit', '--quiet', '--message', 'Add a server')
  const ran = await untilThereIsTime(() =>
    timerq(['run', '--scenario', './server.js', '--queue', 'node', '--rounds', '1', '--load', 'autocannon', '--json'], {
      cwd: root
    })
  )
  assert.ok(JSON.parse(ran.stdout).cells[0].metrics.cpuMicrosPerRequest.median > 0, ran.stderr)
  const gated = await untilThereIsTime(() =>
    timerq(['gate', '--base', 'main', '--scenario', './server.js', '--rounds', '1', '--load', 'autocannon', '--json'], {
      cwd: root
    })
  )
  const [cpu] = JSON.parse(gated.stdout).comparisons
  assert.deepEqual([cpu.metric, cpu.pairs], ['cpuMicrosPerRequest', 1], gated.stderr)
  const { code, stdout, stderr } = await timerq(
    ['profile', '--scenario', './server.js', '--queue', 'node', '--load', 'autocannon', '--json'],
    { cwd: root }
  )
  assert.equal(code, 0, stderr)
  assert.ok(stdout.includes('unruly'), stdout)
})

test('notSlower fails a test of a version that takes several times as long', async t => {
  const folder = temporaryFolder(t)
  for (const name of ['base', 'head']) {
    mkdirSync(path.join(folder, name))
    cpSync(path.join(WORKLOADS, 'sum.js'), path.join(folder, name, 'sum.js'))
    cpSync(path.join(WORKLOADS, name === 'base' ? 'add.js' : 'late-add.js'), path.join(folder, name, 'add.js'))
  }
  const [base, head] = ['base', 'head'].map(name => path.join(folder, name, 'sum.js'))
  await assert.rejects(notSlower(head, base, { budget: '20s', seed: 1 }), error => {
    const { name, message, ratio, low, heats } = /** @type {any} */ (error)
    assert.equal(name, 'AssertionError')
    assert.match(
      message,
      /^.*head\/sum\.js takes \d+\.\d+.* times the (time|work) of .*base\/sum\.js \((\d+ heats|exact), seed 1\): more than 2 % slower$/
    )
    assert.ok(ratio > 1.5 && (low > 1.2 || heats === 0), message)
    return true
  })
  await assert.rejects(notSlower(head, SERVER), {
    exitCode: 2,
    message: /my-server\.js must be a scenario of kind code without alternatives, got kind http$/
  })
})
