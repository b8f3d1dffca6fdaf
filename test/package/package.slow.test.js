/** The package timerq as a user installs it. */
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { words } from '../bin/timerq.js'
import { brokenLinks, readIn } from '../pages.js'
import { assertCompiles, assertPublishable, createProject, pack, ROOT } from './pack.js'

const manifest = readJson('package.json')
/** Packages that `npm install timerq` installs. */
const production = Object.entries(readJson('package-lock.json').packages).filter(
  ([name, { dev }]) => name !== '' && !dev
)

const folder = mkdtempSync(path.join(os.tmpdir(), 'timerq-package-'))
/** @type {ReturnType<typeof createProject>} */
let made
/** @type {string[]} */
let files
const installed = (/** @type {string} */ file) => made.installed('timerq', file)

before(() => {
  made = createProject(pack(folder), 'timerq')
  files = readdirSync(installed(''), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(({ parentPath, name }) => path.relative(installed(''), path.join(parentPath, name)))
  // None for development.
  for (const [location] of production) {
    if (location.lastIndexOf('node_modules/') === 0) made.link(location.slice('node_modules/'.length))
  }
})

after(() => rmSync(folder, { recursive: true, force: true }))

/** @param {string} file */
function readJson (file) {
  return JSON.parse(readFileSync(path.join(ROOT, file), 'utf8'))
}

/** @param {string[]} args */
function timerq (...args) {
  const { NODE_TEST_CONTEXT, ...env } = process.env
  return spawnSync(process.execPath, [installed(manifest.bin.timerq), ...args], {
    cwd: made.project,
    encoding: 'utf8',
    env
  })
}

/**
 * @param {string} source  Of a module of the project.
 * @returns {string} what it prints
 */
function runModule (source) {
  return execFileSync(process.execPath, ['--input-type=module', '--eval', source], {
    cwd: made.project,
    encoding: 'utf8'
  })
}

test('the package holds the program and its types, and no tests', () => {
  const folders = new Set(files.map(file => file.split('/')[0]))
  assert.deepEqual([...folders].sort(), [
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'LICENSE',
    'README.md',
    'SECURITY.md',
    'bin',
    'docs',
    'harness',
    'lab',
    'llms.txt',
    'package.json',
    'queues',
    'reports',
    'scenarios',
    'timers',
    'types'
  ])
  const tests = files.filter(file => /\.test\.|(^|\/)test\//.test(file))
  assert.deepEqual(
    tests.sort(),
    ['bin/templates/my-queue.test.js', 'bin/templates/my-server.test.js'],
    'but those that timerq new writes'
  )
})

test('what timerq try puts under sockets is packed', () => {
  assert.equal(
    runModule(`
    import { TRIED } from './node_modules/timerq/bin/request/catalogue.js'
    console.log(typeof (await import(TRIED.find(({ name }) => name === 'timerq-timers').url)).plugSockets)
  `),
    'function\n'
  )
})

test('every link of every packed page leads to a file of the package', () => {
  const pages = files.filter(file => file.endsWith('.md'))
  assert.ok(pages.length > 20)
  for (const page of pages) {
    assert.deepEqual(
      brokenLinks(page, path => readIn(installed(''), path)),
      [],
      page
    )
  }
})

test('nothing runs at installation, and little is installed', () => {
  assert.deepEqual(
    Object.keys(manifest.scripts).filter(name => /install|^prepare$/.test(name)),
    []
  )
  assert.deepEqual(
    production.filter(([, { hasInstallScript }]) => hasInstallScript),
    []
  )
  // The last is acorn, which compares the functions of a change.
  assert.ok(production.length <= 106, `${production.length} packages`)
})

test('what is imported is installed, but for the packages that are measured', () => {
  const imported = files
    .filter(
      file =>
        /^(bin|harness|queues|reports|scenarios)\/.*\.js$/.test(file) && !/^queues\/peers|^bin\/templates/.test(file)
    )
    .flatMap(file => [
      ...readFileSync(installed(file), 'utf8').matchAll(/^(?:import|export|\} from) (?:.* from )?'([^.'][^']*)'/gm)
    ])
    .map(([, name]) => /** @type {string[]} */ (/^(@[^/]+\/)?[^/]+/.exec(name))[0])
    .filter(name => !name.startsWith('node:'))
  assert.ok(imported.length > 10)
  assert.deepEqual(
    imported.filter(name => !(name in manifest.dependencies)),
    []
  )
})

test('the examples of docs/programs.md run', () => {
  const page = readFileSync(path.join(ROOT, 'docs/programs.md'), 'utf8')
  const [queue, measure] = Array.from(page.matchAll(/^```js\n([^]*?)^```/gm), ([, source]) => source)
  assert.equal(runModule(queue), 'tea is ready\n')
  assert.match(runModule(measure), /^lazy-wheel \d+.*\nbinary-heap \d+.*\n$/)
})

test('every export loads, with declarations; what is inside stays inside', () => {
  const entries = [
    'timerq',
    'timerq/conformance',
    'timerq/record',
    'timerq/package.json',
    'timerq/queues/contract',
    'timerq/queues/binary-heap'
  ]
  const inside = [
    'timerq/queues',
    'timerq/queues/index',
    'timerq/queues/parts/handles',
    'timerq/bin/main.js',
    'timerq/harness/run.js',
    'timerq/types/bin/index.d.ts'
  ]
  assert.equal(
    runModule(`
    process.env.TIMERQ_TRACE = 'some.trace'
    for (const entry of ${JSON.stringify(entries)}) await import(entry, entry.endsWith('json') ? { with: { type: 'json' } } : {})
    for (const entry of ${JSON.stringify(inside)}) {
      const error = await import(entry).catch(error => error)
      if (error.code !== 'ERR_PACKAGE_PATH_NOT_EXPORTED') console.log(entry, error)
    }
  `),
    ''
  )
  const packed = new Set(files.map(file => `./${file}`))
  for (const target of Object.values(manifest.exports)) {
    for (const file of typeof target === 'object' ? Object.values(target ?? {}) : [target]) {
      assert.ok(file.includes('*') || packed.has(file), `${file} is not packed`)
    }
  }
})

test('the command measures, and lists what is missing with how to get it', () => {
  const { status, stdout, stderr } = timerq(
    ...words`run --queue lazy-wheel,duration-lists --scenario refresh-one-duration --size 50 --preset ci --json`
  )
  assert.equal(status, 0, stderr)
  assert.equal(JSON.parse(stdout).cells.length, 2)

  const list = timerq('list', '--json')
  assert.equal(list.status, 0, list.stderr)
  const missing = JSON.parse(list.stdout).queues.filter(
    (/** @type {any} */ { origin, missing }) => origin === 'peer' && missing
  )
  assert.equal(missing.length, 9)
})

for (const { args, message } of [
  {
    args: ['check', 'flatqueue'],
    message: /^timerq: queue "flatqueue" needs the package flatqueue: npm install flatqueue\n$/
  },
  {
    args: words`profile --with clinic-doctor --queue node`,
    message: /^timerq: clinic is not installed.*npm install clinic@13\)\n$/
  }
]) {
  test(`timerq ${args.join(' ')} says what to install`, () => {
    const { status, stderr } = timerq(...args)
    assert.match(stderr, message)
    assert.equal(status, 2)
  })
}

test('strict TypeScript compiles against the declarations, and finds misuse', () => {
  assertCompiles(made, {
    program: `
    import { checkQueue, compare, gate, queues, readSummary, run, scenarios, type CodeScenario, type Comparison, type QueueMeta, type Summary, type TimerQueue } from 'timerq'
    import { checkQueue as check } from 'timerq/conformance'
    import { LazyWheel, meta } from 'timerq/queues/lazy-wheel'
    import { BinaryHeap } from 'timerq/queues/binary-heap'
    import type { Timer } from 'timerq/queues/contract'
    import 'timerq/record'

    const queue: TimerQueue = new LazyWheel()
    const declared: QueueMeta = meta
    const timer: Timer = new BinaryHeap().createTimer({ any: 'payload' })
    queue.insert(timer, 10)
    queue.advance(10, fired => console.log(queue.payloadOf(fired)))

    const summary: Summary = await run({ queues: ['lazy-wheel'], parameters: { size: [10] }, preset: 'ci', signal: AbortSignal.timeout(1000), onProgress: ({ done, total }) => console.log(done / total) })
    const median: number | undefined = summary.cells[0]?.metrics.nsPerOp?.median
    const comparison: Comparison = compare('base', { from: 'node', to: 'lazy-wheel' }, { margin: '3%' })
    const { holds, clauses } = await checkQueue(new URL('my-queue.js', import.meta.url), { seed: 1 })
    console.log(median, declared.order, comparison.verdict, holds, clauses, readSummary('x').warnings, (await check('file:///x')).holds, queues[0]?.name, scenarios[0]?.url)

    const gated: Comparison = await gate({ runtimes: ['24', '26'], scenarios: ['./a.js'] })
    const workload: CodeScenario['kind'] = 'code'
    console.log(gated.verdict, workload)

    // @ts-expect-error: an option that does not exist
    await run({ queue: ['lazy-wheel'] })
    // @ts-expect-error: a deadline is a number
    queue.insert(timer, 'soon')
    // @ts-expect-error: no such queue
    import 'timerq/queues/lazy-weel'
  `
  })
})

test('the script of the page is packed, with the licences of what it holds', () => {
  assert.match(readFileSync(installed('reports/render/page/client.min.js'), 'utf8'), /echarts/)
  assert.match(readFileSync(installed('reports/render/page/LICENSES'), 'utf8'), /echarts[^]*Apache License/)
})

test('publint finds nothing to say', () => assertPublishable(installed('')))
