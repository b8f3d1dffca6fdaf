/** Plans of many benchmark files: their names, their faults, and how reading them is told and ended. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { planRun } from '../../../bin/plans/run.js'
import { resolveScenarios } from '../../../bin/request/catalogue.js'
import { temporaryFolder } from '../../harness/temporary-folder.js'
import { TIMERQ } from '../timerq.js'

const bench = (/** @type {string[]} */ ...groups) =>
  `import { bench, describe } from 'vitest'
for (const group of ${JSON.stringify(groups)}) describe(group, () => bench('task of ' + group, () => 1))
`

/** @type {(t: import('node:test').TestContext, files: Record<string, string>) => string} */
function folderOf (t, files) {
  const folder = temporaryFolder(t)
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    writeFileSync(path.join(folder, file), text)
  }
  return folder
}

/** @param {string[]} specs */
const planOf = (...specs) =>
  planRun(/** @type {any} */ ({ command: { name: 'run' }, scenario: resolveScenarios(specs), seed: 1, rounds: 1 }))

test('groups of one name are told apart by their files, then by their folders, then by a number', async t => {
  const folder = folderOf(t, {
    'flatMap.bench.mjs': bench('flatMap', 'flatMapDepth'),
    'flatMapDepth.bench.mjs': bench('flatMapDepth'),
    'x/sort.bench.mjs': bench('sort'),
    'y/sort.bench.mjs': bench('sort'),
    'z/one_two.bench.mjs': bench('a'),
    'z/one-two.bench.mjs': bench('a')
  })
  const { scenarios } = await planOf(path.join(folder, '**/*.bench.mjs'))
  const ends = scenarios.map(({ name, url }) => [new URL(url).pathname.slice(folder.length + 1), name.split('-')])
  assert.deepEqual(
    ends.map(([file, words]) => [file, words.slice(words.findLastIndex(word => /^[xyz]$/.test(word)) + 1).join('-')]),
    [
      ['flatMap.bench.mjs', 'flat-map'],
      ['flatMap.bench.mjs', 'flat-map-flat-map-depth'],
      ['flatMapDepth.bench.mjs', 'flat-map-depth-flat-map-depth'],
      ['x/sort.bench.mjs', 'sort'],
      ['y/sort.bench.mjs', 'sort'],
      ['z/one-two.bench.mjs', 'one-two-a'],
      ['z/one_two.bench.mjs', 'one-two-a-2']
    ]
  )
  assert.equal(new Set(scenarios.map(({ name }) => name)).size, scenarios.length)
  const twice = planOf(path.join(folder, 'x/*.bench.mjs'), path.join(folder, 'x/sort.bench.mjs'))
  await assert.rejects(twice, /are all named sort \(leave out all but one\)/)
})

test('files that are read by one process keep their tasks apart; what ends it fails alone', async t => {
  const good = Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`good${i}.bench.mjs`, bench(`group${i}`)]))
  const folder = folderOf(t, {
    ...good,
    'good3.bench.mjs': "import { bench, describe } from 'vitest'\nbench.only('only', () => 1)\nbench('no', () => 1)\n",
    'good5a.bench.mjs': 'process.abort()\n',
    'good7a.bench.mjs': "throw new Error('no file')\n",
    'good8a.bench.mjs': "import { bench } from 'vitest'\nbench('task', () => 1)\nnowhere()\n"
  })
  const { scenarios, queues, of } = await planOf(path.join(folder, '*.bench.mjs'))
  const tasks = scenarios.flatMap(({ name }) =>
    queues.flatMap(queue => (queue.scenarios?.includes(name) ? queue.name : []))
  )
  const [aborted, thrown] = ['good5a.bench.mjs', 'good7a.bench.mjs']
  const others = Object.keys(good).map((_, i) => (i === 3 ? 'only' : `task of group${i}`))
  assert.deepEqual(tasks.sort(), [aborted, thrown, 'task', ...others].sort())
  const { faults } = /** @type {any} */ (of.benchmarks)
  assert.match(faults.join('\n'), /^\S+good8a\.bench\.mjs:3:1: nowhere is not defined$/)
})

/** Answers as little as an endless loop, and takes no CPU time. */
const STUCK = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)\n'

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  test(`reading many files is told, and ${signal} ends it`, async t => {
    const files = Array.from({ length: 8 }, (_, i) => [`file${i}.bench.mjs`, STUCK])
    const cwd = folderOf(t, Object.fromEntries(files))
    const child = spawn(process.execPath, [TIMERQ, 'run', './*.bench.mjs'], { cwd })
    let told = ''
    child.stderr.on('data', text => {
      if (told === '' && /^reading 0 of 8 files$/m.test(String(text))) child.kill(signal)
      told += text
    })
    const code = await new Promise(resolve => child.on('close', resolve))
    assert.equal(code, 130)
    assert.match(told, /^(reading 0 of 8 files\n)+timerq: stopped\n$/)
  })
}
