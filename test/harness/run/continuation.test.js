/** Runs that go on, and all that a run.json must not decide then. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { tableId } from '../../../harness/model/cell.js'
import { readStopped } from '../../../harness/run/continuation.js'
import { openRun, resumeRun } from '../../../harness/run/run.js'
import { unlock } from '../../../harness/store/lock.js'
import { aPlan } from '../a-run.js'
import { temporaryFolder } from '../temporary-folder.js'

const HEAP = fileURLToPath(new URL('../../../queues/binary-heap.js', import.meta.url))
const LOAD = { generator: 'wrk', port: 0 }
const PROGRAM = { command: ['node', 'server.js'], cwd: '/mine', path: '/', startSeconds: 1 }
const settings = {
  preset: 'quick',
  micro: { warmupMs: 1, measureMs: 1, limitMs: 1, exactLimitMs: 0 },
  httpWarmupMs: 1,
  httpHeat: { seconds: 1, sliceMs: 100 }
}

/**
 * A run whose only sample is taken, so that nothing is measured when it is continued.
 *
 * @param {import('node:test').TestContext} t
 * @param {(run: any, files: {queue: string, scenario: string, other: string}) => void} [change]  Of its run.json.
 * @param {object} [of]  Parts of the plan that one question or instrument reads.
 * @param {object} [workload]  Fields of its scenario.
 */
async function stoppedRun (t, change = () => {}, of = {}, workload = {}) {
  const folder = temporaryFolder(t)
  const [queue, scenario, other] = ['mine.js', 'refresh.js', 'node'].map(name => path.join(folder, name))
  copyFileSync(HEAP, queue)
  writeFileSync(scenario, '// the workload\n')
  writeFileSync(other, `#!/bin/sh\ntouch ${folder}/ran\necho ${process.version}\n`, { mode: 0o755 })
  const plan = aPlan({
    question: 'program' in of ? 'try' : 'run',
    settings,
    end: { rounds: 1 },
    of,
    queues: [{ name: 'mine', origin: 'user', url: pathToFileURL(queue).href, meta: { accuracy: 'exact' } }],
    scenario: {
      title: '',
      source: '',
      steps: ['heat', 'alone', 'count'],
      url: pathToFileURL(scenario).href,
      ...workload
    },
    runtimes: [{ name: process.version, path: process.execPath, flags: [] }]
  })
  const directory = path.join(folder, 'run')
  const store = await openRun(plan, { directory, command: [] })
  const { id, ...cell } = plan.cells[0]
  store.append([
    {
      ...cell,
      cell: id,
      round: 0,
      kind: 'heat',
      heat: `${tableId(cell)} round 0`,
      heatSize: 1,
      started: '',
      seconds: 0,
      metrics: { nsPerOp: 12 },
      warnings: []
    }
  ])
  const run = structuredClone(store.run)
  change(run, { queue, scenario, other })
  store.update(run)
  const resume = (/** @type {object} */ options = {}) =>
    resumeRun(readStopped(directory, plan.question), { plan, ...options })
  return { directory, resume, hasRun: () => existsSync(path.join(folder, 'ran')) }
}

test('a run is continued where nothing has changed, with what measuring has added', async t => {
  const { directory, resume } = await stoppedRun(
    t,
    ({ plan }) => {
      plan.queues[0].breaks = ['it fires early']
      Object.assign(plan.end, { rounds: 2, budgetSeconds: 0 })
      Object.assign(plan.of.program, { usesTimers: true, requestsPerSecond: 9, askedPort: 80 })
      plan.of.benchmarks.leftOut = ['b.js is left out']
      Object.assign(plan.scenarios[0], { values: { n: [200] }, timing: { turnMs: 3 } })
    },
    { program: PROGRAM, benchmarks: { leftOut: [], faults: [] } },
    { isFitted: true }
  )
  appendFileSync(path.join(directory, 'samples.jsonl'), '{"cell":"refr')
  const { run, samples, warnings } = await resume()
  assert.notEqual(run.ended, null)
  assert.deepEqual([samples.length, warnings], [1, []])
})

/**
 * What a run.json, perhaps of a stranger, may say: the place, and its value there.
 *
 * @type {[place: string, value: any, message?: RegExp][]}
 */
const HOSTILE = [
  ['environment.cpu', 'Another', /was measured on .* Another.*, this is .*: start a new run/],
  ['environment.machine', 'another of the same kind', /was measured on .*, id another of the same kind, this is .*, id /],
  ['environment.timerq', '0.0.1', /was measured by timerq 0\.0\.1, this is/],
  ['plan.runtimes.0.env', { NODE_OPTIONS: '--import=./evil.js' }, /\/plan\/runtimes\/0 must NOT have additional prop/],
  ['plan.runtimes.0.name', 'v0.10.0'],
  ['plan.runtimes.0.path', '/theirs/node'],
  ['plan.runtimes.0.flags', ['--import=./evil.js']],
  ['plan.queues.0.url', 'data:text/javascript,export%20class%20Evil%20%7B%7D'],
  ['plan.queues.0.url', pathToFileURL(HEAP).href.replace('binary-heap.js', '../../../theirs.js')],
  ['plan.queues.1', { name: 'evil', origin: 'user', url: pathToFileURL(HEAP).href, meta: { accuracy: 'exact' } }],
  ['plan.scenarios.0.url', 'file:///theirs.js'],
  ['plan.scenarios.0.values', { n: [200] }],
  ['plan.of.load.command', ['touch', 'a file', '{url}']],
  ['plan.of.load.listen', '0.0.0.0'],
  ['plan.of.trace', { file: '/a/trace' }],
  ['plan.of.program.path', '/delete'],
  ['plan.of.program.command', ['node', 'evil.js']],
  ['plan.of.program.cwd', '/theirs']
]

/** @type {(run: any, place: string, value: any) => void} */
function put (run, place, value) {
  const names = place.split('.')
  const last = /** @type {string} */ (names.pop())
  names.reduce((part, name) => part[name], run)[last] = value
}

/** @type {(stopped: Awaited<ReturnType<typeof stoppedRun>>, message: RegExp | string) => Promise<void>} */
async function assertRefused ({ directory, resume, hasRun }, message) {
  const others = `${directory} was measured with other ${message} than its command line gives now ` +
    '(go back to its folder, files and Node, or start a new run)'
  await assert.rejects(async () => resume(), { exitCode: 2, message: message instanceof RegExp ? message : others })
  assert.ok(!hasRun())
  assert.match(readFileSync(path.join(directory, 'run.json'), 'utf8'), /"ended": null/)
}

for (const [place, value, message] of HOSTILE) {
  test(`a run is not continued where ${place} is ${JSON.stringify(value)}: nothing is started, or written`, async t => {
    const [, part, name] = place.split('.')
    const of = { load: { load: LOAD }, program: { program: PROGRAM } }[name]
    const stopped = await stoppedRun(t, run => put(run, place, value), of)
    await assertRefused(stopped, message ?? (part === 'of' ? name : part))
  })
}

test('a run is not continued where another machine measured a part, or a file has changed', async t => {
  const changes = /** @type {[RegExp | string, Parameters<typeof stoppedRun>[1]][]} */ ([
    [/was measured on 999 x/, run => {
      run.parts = [{ run: 'x', directory: '', environment: { ...run.environment, cores: 999 }, cells: [] }]
    }],
    ['runtimes', ({ plan }, { other }) => Object.assign(plan.runtimes[0], { path: other })],
    ['queues', (_, { queue }) => appendFileSync(queue, '// faster now\n')],
    ['scenarios', (_, { scenario }) => appendFileSync(scenario, '// less to do now\n')]
  ])
  for (const [message, change] of changes) await assertRefused(await stoppedRun(t, change), message)
})

for (const name of ['samples.jsonl', 'profiles', 'profiles/x.cpuprofile']) {
  test(`nothing is written through a link: ${name}`, async t => {
    const { directory, resume } = await stoppedRun(t)
    const link = path.join(directory, name)
    const target = path.join(temporaryFolder(t), 'target')
    if (existsSync(link)) cpSync(link, target, { recursive: true })
    rmSync(link, { recursive: true, force: true })
    mkdirSync(path.dirname(link), { recursive: true })
    symlinkSync(target, link)
    await assert.rejects(async () => resume(), {
      exitCode: 2,
      message: `${link} is a link, and timerq writes through none: replace it by what it leads to`
    })
  })
}

test('a run is not continued while another process measures it, and nothing is written to it', async t => {
  const { directory, resume } = await stoppedRun(t)
  unlock(directory)
  const holder = path.join(directory, '.running', `${process.ppid}@${os.hostname()}`)
  mkdirSync(path.dirname(holder))
  writeFileSync(holder, '')
  appendFileSync(path.join(directory, 'samples.jsonl'), '{"cell":"refr')
  await assert.rejects(async () => resume(), {
    exitCode: 2,
    message: /is being written by process \d+: wait/
  })
  assert.match(readFileSync(path.join(directory, 'samples.jsonl'), 'utf8'), /refr$/)
  assert.ok(existsSync(holder))
})

test('the lock of a killed process is taken over, and a note says so', async t => {
  const { directory, resume } = await stoppedRun(t)
  unlock(directory)
  mkdirSync(path.join(directory, '.running'))
  writeFileSync(path.join(directory, '.running', `4000000@${os.hostname()}`), '')
  /** @type {string[]} */
  const notes = []
  await resume({ onNote: (/** @type {string} */ note) => notes.push(note) })
  assert.deepEqual(notes, [`process 4000000, which wrote to ${directory}, was killed: continuing its work`])
})

test('the results of another question are refused', async t => {
  const { directory } = await stoppedRun(t)
  assert.throws(() => readStopped(directory, 'gate'), {
    exitCode: 2,
    message: `${directory} holds the results of timerq run, not of gate (timerq report ${directory})`
  })
})
