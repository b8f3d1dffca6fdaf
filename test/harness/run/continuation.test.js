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
import { resumeGate } from '../../../harness/gate/gate.js'
import { repositoryRoot } from '../../../harness/gate/revisions.js'
import { tableId } from '../../../harness/model/cell.js'
import { hashOf } from '../../../harness/processes/environment.js'
import { openRun, resumeRun } from '../../../harness/run/run.js'
import { unlock } from '../../../harness/store/lock.js'
import { readResults } from '../../../harness/store/results.js'
import { aPlan } from '../a-run.js'
import { gatePlan } from '../gate/gate-fixture.js'
import { temporaryFolder } from '../temporary-folder.js'

const HEAP = fileURLToPath(new URL('../../../queues/binary-heap.js', import.meta.url))
const TIMERS = fileURLToPath(new URL('../../../timers/plug-sockets.js', import.meta.url))
const OF_ITS_OWN = 'used files, programs or addresses that are not part of timerq. For safety,'
const settings = {
  preset: 'quick',
  rounds: 1,
  load: 'wrk',
  port: 0,
  trace: null,
  micro: { warmupMs: 1, measureMs: 1, limitMs: 1, exactLimitMs: 0 },
  httpWarmupMs: 1,
  httpHeat: { seconds: 1, sliceMs: 100 }
}

/**
 * A run whose only sample is taken, so that nothing is measured when it is continued.
 *
 * @param {import('node:test').TestContext} t
 * @param {(run: any, files: {queue: string, scenario: string, other: string}) => void} [change]  Of its run.json.
 */
async function stoppedRun (t, change = () => {}) {
  const folder = temporaryFolder(t)
  const [queue, scenario, other] = ['mine.js', 'refresh.js', 'node'].map(name => path.join(folder, name))
  copyFileSync(HEAP, queue)
  writeFileSync(scenario, '// the workload\n')
  writeFileSync(other, `#!/bin/sh\ntouch ${folder}/ran\necho ${process.version}\n`, { mode: 0o755 })
  const plan = aPlan({
    settings,
    queues: [{ name: 'mine', origin: 'user', url: pathToFileURL(queue).href, meta: { accuracy: 'exact' } }],
    scenario: {
      title: '',
      source: '',
      usesAllCores: false,
      isCounted: true,
      url: pathToFileURL(scenario).href
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
  const named = { modules: [queue, scenario].map(file => pathToFileURL(file).href) }
  return { directory, queue, scenario, other, named, hasRun: () => existsSync(path.join(folder, 'ran')) }
}

/** @param {string} directory */
const isUntouched = directory => assert.equal(readResults(directory).run.ended, null)

test('a run is continued where nothing has changed', async t => {
  const { directory, named } = await stoppedRun(t)
  appendFileSync(path.join(directory, 'samples.jsonl'), '{"cell":"refr')
  const { run, samples, warnings } = await resumeRun(directory, { named })
  assert.notEqual(run.ended, null)
  assert.deepEqual([samples.length, warnings], [1, []])
})

for (const [what, change, message] of /** @type {[string, (run: any, files: any) => void, RegExp][]} */ ([
  [
    'on another machine',
    ({ environment }) => Object.assign(environment, { cpu: 'Another' }),
    /was measured on .* Another.*, this is .*: start a new run/
  ],
  [
    'on another machine of the same kind',
    ({ environment }) => Object.assign(environment, { machine: 'another of the same kind' }),
    /was measured on .*, id another of the same kind, this is .*, id /
  ],
  [
    'where another machine measured a part',
    run => {
      run.parts = [{ run: 'x', directory: '', environment: { ...run.environment, cores: 999 }, cells: [] }]
    },
    /was measured on 999 x/
  ],
  [
    'by another timerq',
    ({ environment }) => Object.assign(environment, { timerq: '0.0.1' }),
    /was measured by timerq 0\.0\.1, this is/
  ],
  [
    'with another Node',
    ({ plan }) => Object.assign(plan.runtimes[0], { name: 'v0.10.0' }),
    /was measured with v0\.10\.0, .* is now v/
  ],
  [
    'with code in a URL',
    ({ plan }) => Object.assign(plan.queues[0], { url: 'data:text/javascript,export%20class%20Evil%20%7B%7D' }),
    /For safety, name it again: add --queue data:/
  ],
  [
    'with another queue',
    (_, { queue }) => appendFileSync(queue, '// faster now\n'),
    /with another mine: .*mine\.js has changed since: start a new run$/
  ],
  [
    'with another workload',
    (_, { scenario }) => appendFileSync(scenario, '// less to do now\n'),
    /with another refresh: .*refresh\.js has changed since: start a new run$/
  ]
])) {
  test(`a run is not continued ${what}, and nothing is written to it`, async t => {
    const { directory, named } = await stoppedRun(t, change)
    await assert.rejects(resumeRun(directory, { named }), { exitCode: 2, message })
    isUntouched(directory)
  })
}

test('a program is not run because run.json names it, but when the user does', async t => {
  const { directory, other, named, hasRun } = await stoppedRun(t, ({ plan }, { other }) => {
    plan.runtimes[0].path = other
  })
  await assert.rejects(resumeRun(directory, { named }), {
    exitCode: 2,
    message: `${directory} ${OF_ITS_OWN} name it again: add --runtime ${other}`
  })
  assert.ok(!hasRun(), 'it was not even asked for its version')
  const runtimes = [{ name: process.version, path: other, flags: [] }]
  assert.notEqual((await resumeRun(directory, { named: { ...named, runtimes } })).run.ended, null)
})

test('flags and an environment, which may load code, are not taken from run.json', async t => {
  for (const [field, value, message] of /** @type {const} */ ([
    ['flags', ['--import=./evil.js'], /name it again: add --runtime \S+ --node-flags '?--import=\.\/evil\.js'?$/],
    ['env', { NODE_OPTIONS: '--import=./evil.js' }, /\/plan\/runtimes\/0 must NOT have additional properties/]
  ])) {
    const { directory, named } = await stoppedRun(t, ({ plan }) => {
      plan.runtimes[0][field] = value
    })
    await assert.rejects(resumeRun(directory, { named }), { exitCode: 2, message })
  }
})

const PROGRAM = { command: ['node', 'server.js'], cwd: '/theirs', path: '/', startSeconds: 1 }
for (const [what, settings, mine, message] of /** @type {[string, object, object[], string][]} */ ([
  [
    'a load command',
    { loadCommand: ['ssh', 'b', 'touch a file', '{url}'] },
    [{}, { loadCommand: ['ssh', 'c', '{url}'] }],
    `${OF_ITS_OWN} name it again: add --load-command 'ssh b "touch a file" {url}'`
  ],
  [
    'an address that opens servers to a network',
    { listen: '0.0.0.0' },
    [{}, { listen: '10.0.0.1' }],
    `${OF_ITS_OWN} name it again: add --listen 0.0.0.0`
  ],
  [
    'a host that gets load',
    { target: 'victim.example' },
    [{}, { target: 'b' }],
    `${OF_ITS_OWN} name it again: add --target victim.example`
  ],
  ['a trace', { trace: '/a/trace' }, [{}, { trace: '/b' }], `${OF_ITS_OWN} name it again: add --trace /a/trace`],
  [
    'a command, and the path of requests to it',
    { program: { ...PROGRAM, path: '/delete' } },
    [{ program: { ...PROGRAM, command: ['node', 'a.js'] } }],
    `${OF_ITS_OWN} name them again: add --path /delete -- node server.js`
  ],
  [
    'the folder of a program',
    { program: PROGRAM },
    [{ program: { ...PROGRAM, cwd: '/mine' } }],
    'measured a program in /theirs, this is /mine: continue it there'
  ]
])) {
  test(`${what} is not taken from run.json`, async t => {
    const { directory, named } = await stoppedRun(t, ({ plan }) => Object.assign(plan.settings, settings))
    const kind = 'program' in settings ? 'try' : 'run'
    for (const other of mine) {
      await assert.rejects(resumeRun(directory, { kind, named: { ...named, settings: other } }), {
        exitCode: 2,
        message: `${directory} ${message}`
      })
      isUntouched(directory)
    }
    assert.notEqual((await resumeRun(directory, { kind, named: { ...named, settings } })).run.ended, null)
  })
}

test('only modules that the user names, and those of timerq, are loaded', async t => {
  const { directory, queue, scenario } = await stoppedRun(t)
  const modules = [pathToFileURL(scenario).href]
  await assert.rejects(resumeRun(directory, { named: { modules } }), {
    exitCode: 2,
    message: `${directory} ${OF_ITS_OWN} name it again: add --queue ${queue}`
  })
  const upwards = await stoppedRun(t, ({ plan }, { queue }) => {
    plan.queues[0].url = pathToFileURL(HEAP).href.replace('binary-heap.js', `../../..${queue}`)
  })
  await assert.rejects(resumeRun(upwards.directory, { named: { modules } }), {
    exitCode: 2,
    message: /For safety, name them again/
  })
  const values = await stoppedRun(t, ({ plan }) => {
    plan.scenarios[0].benchmark = { format: 'node', group: '', set: ['benchmarker=evil'] }
  })
  await assert.rejects(resumeRun(values.directory, values), { message: /name it again: add --set benchmarker=evil$/ })
  for (const file of [HEAP, TIMERS]) {
    const own = await stoppedRun(t, ({ plan }) => {
      const url = pathToFileURL(file).href
      Object.assign(plan.queues[0], { url, sha256: hashOf({ url }) })
    })
    assert.notEqual((await resumeRun(own.directory, own)).run.ended, null)
  }
})

for (const name of [
  'run.json',
  'samples.jsonl',
  'comparison.json',
  'report.md',
  '.running',
  'profiles',
  'report-pictures',
  'profiles/x.cpuprofile'
]) {
  test(`nothing is written through a link: ${name}`, async t => {
    const { directory, named } = await stoppedRun(t)
    const link = path.join(directory, name)
    const target = path.join(temporaryFolder(t), 'target')
    if (existsSync(link)) cpSync(link, target, { recursive: true })
    rmSync(link, { recursive: true, force: true })
    mkdirSync(path.dirname(link), { recursive: true })
    symlinkSync(target, link)
    await assert.rejects(resumeRun(directory, { named }), {
      exitCode: 2,
      message: `${link} is a link, and timerq writes through none: replace it by what it leads to`
    })
  })
}

test('a run is not continued while another process measures it, and nothing is written to it', async t => {
  const { directory, named } = await stoppedRun(t)
  unlock(directory)
  const holder = path.join(directory, '.running', `${process.ppid}@${os.hostname()}`)
  mkdirSync(path.dirname(holder))
  writeFileSync(holder, '')
  appendFileSync(path.join(directory, 'samples.jsonl'), '{"cell":"refr')
  await assert.rejects(resumeRun(directory, { named }), {
    exitCode: 2,
    message: /is being written by process \d+: wait/
  })
  assert.match(readFileSync(path.join(directory, 'samples.jsonl'), 'utf8'), /refr$/)
  assert.ok(existsSync(holder))
})

test('the lock of a killed process is taken over, and a note says so', async t => {
  const { directory, named } = await stoppedRun(t)
  unlock(directory)
  mkdirSync(path.join(directory, '.running'))
  writeFileSync(path.join(directory, '.running', `4000000@${os.hostname()}`), '')
  /** @type {string[]} */
  const notes = []
  await resumeRun(directory, { named, onNote: note => notes.push(note) })
  assert.deepEqual(notes, [`process 4000000, which wrote to ${directory}, was killed: continuing its work`])
})

/**
 * @param {import('node:test').TestContext} t
 * @param {object} [environment]
 */
async function stoppedGate (t, environment) {
  const gate = gatePlan({ root: repositoryRoot(process.cwd()) })
  const { directory } = await stoppedRun(t, run => {
    Object.assign(run.environment, environment)
    run.plan = {
      ...gate,
      gate: { ...gate.gate, budgetSeconds: 0, trees: { base: 'aa', head: 'bb' } },
      settings: { ...run.plan.settings, rounds: gate.settings.rounds },
      scenarios: run.plan.scenarios,
      runtimes: run.plan.runtimes
    }
  })
  rmSync(path.join(directory, 'samples.jsonl'))
  for (const side of ['a', 'b', 'c']) mkdirSync(path.join(directory, 'sides', side), { recursive: true })
  return directory
}

test('a gate is not continued on another machine', async t => {
  await assert.rejects(resumeGate(await stoppedGate(t, { cpu: 'Another' }), {}), {
    exitCode: 2,
    message: /was measured on .* Another/
  })
})

test("a gate is continued with timerq's own scenarios and those that the user names, whatever its " +
  'run.json names', async t => {
  await assert.rejects(resumeGate(await stoppedGate(t), {}), {
    exitCode: 2,
    message: /For safety, name it again: add --scenario .*refresh\.js$/
  })
})

test('a run is no gate, a gate is no run, and the samples of another run are refused', async t => {
  const [{ directory: run }, { directory: other }, gate] = [
    await stoppedRun(t),
    await stoppedRun(t),
    await stoppedGate(t)
  ]
  await assert.rejects(resumeGate(run, {}), {
    exitCode: 2,
    message: `${run} holds a run, not a gate: continue it with timerq run --resume ${run}`
  })
  await assert.rejects(resumeRun(gate, {}), {
    exitCode: 2,
    message: `${gate} holds a gate, not a run: continue it with timerq gate --resume ${gate}`
  })
  for (const [directory, resume] of /** @type {const} */ ([
    [run, resumeRun],
    [gate, resumeGate]
  ])) {
    copyFileSync(path.join(other, 'samples.jsonl'), path.join(directory, 'samples.jsonl'))
    await assert.rejects(async () => resume(directory, {}), {
      exitCode: 2,
      message: /samples\.jsonl:1: the sample belongs to run ".*", run\.json is of "/
    })
    writeFileSync(path.join(directory, 'run.json'), '{ "format": "timerq-run/1" }')
    await assert.rejects(async () => resume(directory, {}), {
      exitCode: 2,
      message: /this timerq reads the format "timerq-run\/2", got "timerq-run\/1"/
    })
  }
})
