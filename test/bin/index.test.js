/** timerq for programs: its functions, and what they refuse. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import path from 'node:path'
import { compare, gate, queues, readSummary, run, scenarios, tryProgram } from '../../bin/index.js'
import { readResults } from '../../harness/index.js'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { timerqHere, words } from './timerq.js'

const FIXTURES = new URL('../fixtures/queues/', import.meta.url).pathname

test('a program measures queues, reads the figures again and compares two of the queues', async t => {
  const directory = path.join(temporaryFolder(t), 'results')
  /** @type {string[]} */
  const kinds = []
  const summary = await run({
    queues: ['binary-heap', 'duration-lists'],
    scenarios: ['refresh-one-duration'],
    parameters: { size: [400] },
    preset: 'ci',
    seed: 1,
    directory,
    onProgress: ({ next }) => kinds.push(next.kind)
  })
  assert.equal(summary.format, 'timerq-summary/1')
  assert.equal(summary.run, directory)
  assert.deepEqual(
    summary.cells.map(({ queue }) => queue),
    ['binary-heap', 'duration-lists']
  )
  assert.ok(
    summary.cells.every(
      ({ params, metrics }) => params.size === 400 && metrics.nsPerOp.median > 0 && metrics.workPerOp.median > 0
    )
  )
  assert.deepEqual(new Set(kinds), new Set(['heat', 'count']))
  assert.deepEqual(readSummary(directory), summary)
  assert.deepEqual(
    readResults(directory).run.command,
    words`timerq run --queue binary-heap,duration-lists --scenario refresh-one-duration --sweep size=400 --preset ci
      --seed 1 --out ${directory}`
  )
  assert.equal((await timerqHere(['run', '--resume', directory])).code, 0)

  const { format, comparisons } = compare(directory, { from: 'binary-heap', to: 'duration-lists' })
  assert.equal(format, 'timerq-comparison/1')
  const work = comparisons.find(({ metric }) => metric === 'workPerOp')
  const [from, to] = summary.cells.map(({ metrics }) => metrics.workPerOp.median)
  assert.deepEqual([work?.queue, work?.base, work?.head], ['duration-lists', from, to])
  assert.throws(() => compare(directory, { from: 'binary-heap', to: 'nobody' }), {
    exitCode: 2,
    message: `${directory} has no nobody (it has binary-heap and duration-lists)`
  })
})

for (const [name, call, message] of /** @type {[string, () => Promise<unknown>, RegExp][]} */ ([
  ['gate(null)', () => gate(/** @type {any} */ (null)), /^gate: options must be an object$/],
  ['tryProgram()', () => tryProgram(), /^try needs a program/],
  [
    'tryProgram({ connections: 0 })',
    () => tryProgram({ command: ['node', 'server.js'], connections: 0 }),
    /^connections must be a positive integer, got "0"$/
  ],
  [
    'a command in one text',
    () => tryProgram(/** @type {any} */ ({ command: 'node server.js' })),
    /^command must be a list of words, got "node server\.js"/
  ],
  [
    'conections',
    () => tryProgram(/** @type {any} */ ({ conections: 5 })),
    /^tryProgram: unknown option "conections", did you mean connections\?$/
  ],
  ['run("a")', () => run(/** @type {any} */ ('a')), /^run: options must be an object$/]
])) {
  test(`${name} is wrong usage, and no bug`, () => assert.rejects(call, { exitCode: 2, message }))
}

test('queues and scenarios are listed by name', () => {
  assert.ok(queues.some(({ name }) => name === 'lazy-wheel'))
  assert.ok(scenarios.some(({ name }) => name === 'keep-alive'))
})

for (const { options, message } of [
  { options: { queue: ['binary-heap'] }, message: 'run: unknown option "queue", did you mean queues?' },
  { options: { preset: 'fast' }, message: 'preset must be quick, documented or ci, got "fast"' },
  { options: { parameters: { size: [1.5] } }, message: 'parameters size must be an integer of at least 0, got "1.5"' },
  { options: { connections: 5 }, message: 'run: unknown option "connections"' },
  { options: { timeLimit: 0 }, message: 'timeLimit must be an integer from 1 to 86400, got "0"' },
  { options: { rounds: -1 }, message: 'rounds must be an integer from 1 to 10000, got "-1"' }
]) {
  test(`run refuses ${JSON.stringify(options)}`, async t => {
    const directory = path.join(temporaryFolder(t), 'results')
    const all = /** @type {any} */ ({
      queues: [`${FIXTURES}empty.js`],
      scenarios: ['start-cancel'],
      directory,
      ...options
    })
    await assert.rejects(run(all), { message, exitCode: 2 })
  })
}
