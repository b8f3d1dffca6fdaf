/** Scenarios of users, as another process describes them. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { modulesOf, refused } from '../../../../harness/measure/modules/user-modules.js'
import { describeFiles } from '../../../../harness/subject/describe/describe-scenario.js'
import { descriptionsOf } from '../../descriptions.js'
import { temporaryModule } from '../../temporary-folder.js'

const workload = (/** @type {string} */ name) => new URL(`../../../fixtures/workloads/${name}.js`, import.meta.url).href

test('a scenario is described by its fields; what it leaves out is filled in', async () => {
  assert.deepEqual(await descriptionsOf(workload('sum')), [{
    name: 'sum',
    title: 'sum',
    kind: 'code',
    source: 'sum.js',
    parameters: { texts: { title: 'texts', minimum: 1 } },
    presets: { quick: { texts: [100] }, documented: { texts: [100] }, ci: { texts: [100] } },
    createWorkload: true
  }])
  const [{ alternatives, control }] = await descriptionsOf(workload('adders'))
  assert.deepEqual([alternatives, control], [{ plain: workload('add'), late: workload('late-add') }, 'plain'])
})

const code = (/** @type {string} */ rest) => `export const scenario = { name: 'mine', kind: 'code', ${rest} }`
const phases = (/** @type {string} */ list, rest = '') => code(`createWorkload: () => ({ phases: [${list}] ${rest} })`)

const server = (
  /** @type {string} */ rest
) => `export const scenario = { name: 'mine', kind: 'http', parameters: { connections: {}, seconds: {} },
  presets: { quick: { connections: [1], seconds: [1] } }, createServer () {}, ${rest} }`

const WRONG = /** @type {[source: string, message: RegExp][]} */ ([
  ["export const scenario = { name: 'Mine' }", /: scenario\.name must be in kebab case, got "Mine"/],
  [
    "export const scenario = { name: 'mine', kind: 'macro' }",
    /: scenario\.kind must be one of micro, code, http, got "macro"/
  ],
  [code(''), /: scenario\.createWorkload must be a function, as kind is 'code', got nothing/],
  [server('workers: () => 0'), /: scenario\.workers must return a positive integer, got 0/],
  [
    "export const scenario = { name: 'mine', kind: 'http', createServer () {} }",
    /: scenario\.parameters lacks connections, which the load of a server needs/
  ],
  [
    code("parameters: { size: { title: 'size' } }, createWorkload () {}"),
    /: scenario\.presets\.quick\.size must be a list of numbers, as scenario\.parameters has size, got nothing/
  ],
  [
    code('presets: { quick: { size: [1] } }, createWorkload () {}'),
    /: scenario\.presets sets size, which scenario\.parameters does not have/
  ],
  [
    code("createWorkload () {}, alternatives: { a: './a.js' }, control: 'b'"),
    /: scenario\.control must be one of its alternatives \(a\), got "b"/
  ],
  [
    code("createWorkload () {}, alternatives: { node: 'node:timers' }"),
    /scenario\.alternatives\.node must be a file \('\.\/node\.js', or import\.meta\.resolve of a package\), got "node:timers"/
  ],
  [
    code("createWorkload () {}, alternatives: { a: './nowhere.js' }"),
    /nowhere\.js: cannot be loaded: Cannot find module/
  ],
  [
    code('createWorkload () { return undefinedName }'),
    /: scenario\.createWorkload failed: undefinedName is not defined \(at \/.*\.mjs:1:\d+\)/
  ],
  [
    code('createWorkload () {}'),
    /: scenario\.createWorkload: it must return \{ phases: \[\{ metric, operations, run \}\] \}, got nothing/
  ],
  [phases("{ metric: 'nsPerOp', operations: 1 }"), /: phases\[0\]\.run must be a function, got nothing/],
  [
    phases("{ metric: 'nsPerOp', operations: 0, run () {} }"),
    /: phases\[0\]\.operations must be a positive integer, got 0/
  ],
  [phases("{ metric: 'time', operations: 1, run () {} }"), /: phases\[0\]\.metric must be nsPerOp, got "time"/],
  [
    phases("{ metric: 'oneNsPerOp', operations: 1, run () {} }, { metric: 'nsPerOp', operations: 1, run () {} }"),
    /: phases\[1\]\.metric must be a name like touchNsPerOp, got "nsPerOp"/
  ],
  [
    phases("{ metric: 'nsPerOp', operations: 1, run () {} }", ', outcome: { checksum: 0.5 }'),
    /: outcome\.checksum must be an integer, got 0\.5/
  ],
  ['export const scenario = {', /: cannot be loaded: Unexpected end of input/]
])

test('a wrong scenario gets one line: what is missing, and where', async t => {
  for (const [source, message] of WRONG) {
    const url = temporaryModule(t, source)
    const { described: [wrong] } = await describeFiles({ urls: [url] })
    const { exitCode, message: text } = refused(url, wrong)
    assert.match(text, message)
    assert.equal(exitCode, 2)
    assert.ok(!text.includes('\n') && text.includes(path.dirname(fileURLToPath(url))), text)
  }
})

test('a checksum may be below zero', async t => {
  const source = phases("{ metric: 'nsPerOp', operations: 1, run () {} }", ', outcome: { checksum: -7 }')
  const { described } = await describeFiles({ urls: [temporaryModule(t, source)] })
  assert.equal(described[0].descriptions?.[0].name, 'mine')
})

test('a file that is no scenario is refused by the process that loads it', async t => {
  await assert.rejects(descriptionsOf(temporaryModule(t, 'export const scenaro = {}')), {
    exitCode: 2,
    message: /: it exports no `scenario` \(export const scenario = \{ name, kind, ... \}\)/
  })
})

const RUNS_TYPESCRIPT = /** @type {any} */ (process.features).typescript

test(
  'a TypeScript file that this Node cannot load is refused with the ways out',
  { skip: RUNS_TYPESCRIPT },
  async t => {
    const url = temporaryModule(t, phases("{ metric: 'nsPerOp', operations: 1, run () {} }"), 'mine.ts')
    await assert.rejects(descriptionsOf(url), {
      exitCode: 2,
      message:
        /Unknown file extension "\.ts" .*; Node 22\.18 and newer run TypeScript \(--runtime 24\), .*NODE_OPTIONS='--import tsx'/
    })
  }
)

test('a workload that waits for a clock which it has stopped ends with the budget', async t => {
  const wait = 'const end = performance.now() + 1; while (performance.now() < end);'
  const stopped = (/** @type {string} */ source) => temporaryModule(t, `performance.now = () => 0\n${source}`)
  const budget = { budgetSeconds: 0.5 }
  const preparing = stopped(code(`createWorkload () { ${wait} }`))
  await assert.rejects(descriptionsOf(preparing, budget), {
    exitCode: 2,
    message: `${preparing}: cannot be loaded: gave no answer within 0.5 s`
  })
  const running = stopped(phases(`{ metric: 'nsPerOp', operations: 1, run: () => { ${wait} } }`))
  const job = { queueUrl: running, scenarioUrl: running, isCode: true, params: {}, seed: 1 }
  const node = { name: 'node', path: process.execPath, flags: [] }
  await assert.rejects(modulesOf(job, node, budget), { kind: 'time-limit', message: 'gave no answer within 0.5 s' })
})
