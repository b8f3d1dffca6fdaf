/** Traces of programs that start no timer, of those that keep the recorder out, and of those that are killed. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { readTrace } from '../../harness/store/trace-format.js'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { skipUnless } from '../needs.js'
import { TIMERQ, timerq, timerqHere, words } from './timerq.js'

const skip = skipUnless(process.platform === 'linux', 'needs Linux')
const node = process.execPath

/**
 * @param {import('node:test').TestContext} t
 * @param {string[]} program
 */
function record (t, ...program) {
  const cwd = temporaryFolder(t)
  const script = "process.on('SIGTERM', () => {}); setTimeout(() => process.exit(), 2000)"
  writeFileSync(path.join(cwd, 'job.js'), script)
  return { cwd, recorded: timerqHere(['record', '--', ...program], { cwd }) }
}

test('a program that could not start, or starts no timer, is recommended nothing, and its ' +
  'processes are named', async t => {
  const { cwd, recorded } = record(t, node, 'missing.js')
  const missing = await recorded
  const nothing = (/** @type {string} */ name) =>
    new RegExp(
      `^trace: timerq\\.trace\nno timer was started by ${name} \\(pid \\d+\\), so there is nothing to recommend$`,
      'm'
    )
  assert.equal(missing.code, 1)
  assert.match(missing.stderr, nothing('missing\\.js'))
  const idle = await timerqHere(words`record -- ${node} --eval 1`, { cwd })
  assert.equal(idle.code, 0)
  assert.match(idle.stderr, nothing('node'))
  const recommended = await timerqHere(['recommend'], { cwd })
  assert.deepEqual(
    [recommended.code, recommended.stderr],
    [2, 'timerq: timerq.trace starts no timer: there is nothing to recommend a queue for\n']
  )
  const busy = await timerqHere(['record', '--', node, '--eval', 'setTimeout(() => {}, 1)'], { cwd })
  assert.match(busy.stderr, /^trace: timerq\.trace\nnext: timerq recommend$/m)
})

test('a trace that another process records is left to it', async t => {
  const cwd = temporaryFolder(t)
  for (const name of ['timerq.trace', 'mine.trace']) {
    writeFileSync(path.join(cwd, name), '')
    mkdirSync(path.join(cwd, `${name}.running`))
    writeFileSync(path.join(cwd, `${name}.running`, `${process.pid}@${os.hostname()}`), '')
  }
  const program = ['--', node, '--eval', 'setTimeout(() => {}, 1)']
  const { code, stderr } = await timerq(['record', ...program], { cwd })
  assert.equal(code, 0, stderr)
  assert.match(stderr, /^trace: timerq-2\.trace\nnext: timerq recommend timerq-2\.trace$/m)
  const refused = await timerq(words`record --out mine.trace ${program}`, { cwd })
  assert.deepEqual([refused.code, readFileSync(path.join(cwd, 'mine.trace'), 'utf8')], [2, ''])
  assert.match(
    refused.stderr,
    /^timerq: mine\.trace is being written by process \d+: wait .* choose another with --out/
  )
})

const WORKER = "new (require('node:worker_threads').Worker)('setTimeout(() => {}, 1)', { eval: true })"

for (const [title, program, message] of /** @type {[string, string[], RegExp][]} */ ([
  [
    'a program that is no program of Node',
    ['true'],
    /^the recorder was in no process of true: it is not a program of /
  ],
  [
    'a program that was killed',
    [node, '--eval', "process.kill(process.pid, 'SIGKILL')"],
    /^no timer was recorded, but node \(pid \d+\) was killed before its last operations were written$/
  ],
  [
    'a program whose worker threads have timers',
    [node, '--eval', WORKER],
    /^no timer was recorded, but node \(pid \d+\) started worker threads, whose timers are not recorded$/
  ],
  [
    'a program whose environment is cleared',
    ['env', '-i', node, 'job.js'],
    /^the recorder was not in job\.js \(pid \d+\): its environment has no NODE_OPTIONS \(let what starts it pass the /
  ],
  [
    'a program whose NODE_OPTIONS are set by the script that starts it, which has a timer itself',
    [
      node,
      '--eval',
      `setTimeout(() => {}, 1)
      const env = { NODE_OPTIONS: '--max-old-space-size=99' }
      require('node:child_process').execFileSync(process.execPath, ['job.js'], { env })`
    ],
    /^the recorder was not in job\.js \(pid \d+\), but only in node \(pid \d+\): its NODE_OPTIONS is "--max-old-space-size=99" /
  ]
])) {
  test(`${title} has no trace that says something of it`, { skip }, async t => {
    const { cwd, recorded } = record(t, ...program)
    const { code, stderr } = await recorded
    assert.equal(code, 4, stderr)
    assert.ok(statSync(path.join(cwd, 'timerq.trace')).size < 100, 'no operations but perhaps a header')
    assert.match(stderr.trim().split('\n').at(-1) ?? '', new RegExp(message.source.replace('^', '^timerq: ')))
  })
}

for (const signal of /** @type {const} */ (['SIGINT', 'SIGHUP', 'SIGUSR2', 'SIGTERM'])) {
  test(`a trace is whole where ${signal} ends the program, which ends as it would have`, async t => {
    const source = `setTimeout(() => {}, 60_000); process.kill(process.pid, '${signal}')`
    const { cwd, recorded } = record(t, node, '--eval', source)
    const { code, stderr } = await recorded
    assert.equal(code, 128 + os.constants.signals[signal])
    assert.match(stderr, /^trace: timerq\.trace\nnext: timerq recommend$/m)
    const { durations, isTruncated } = readTrace(path.join(cwd, 'timerq.trace'))
    assert.deepEqual({ durations, isTruncated }, { durations: Float64Array.of(60_000), isTruncated: false })
  })
}

test('a timer is recorded where a module that is required first keeps setTimeout; no warning is added', async t => {
  const { cwd } = record(t, node, '--eval', '')
  const agent = 'const kept = setTimeout; globalThis.start = () => kept(() => {}, 7)'
  writeFileSync(path.join(cwd, 'agent.cjs'), agent)
  writeFileSync(path.join(cwd, 'app.js'), 'start()')
  const { code, stderr } = await timerq(words`record --out app.trace -- ${node} -r ./agent.cjs app.js`, { cwd })
  assert.equal(code, 0, stderr)
  assert.equal(readTrace(path.join(cwd, 'app.trace')).durations[0], 7)
  assert.doesNotMatch(stderr, /Warning/)
})

test('a program that ends with its input goes on where timerq has none', async t => {
  const cwd = temporaryFolder(t)
  const source = "process.stdin.on('end', () => process.exit(9)).resume(); setTimeout(() => process.exit(), 300)"
  const { status } = spawnSync(node, [TIMERQ, 'record', '--', node, '--eval', source], { cwd, stdio: 'ignore' })
  assert.equal(status, 0)
})
