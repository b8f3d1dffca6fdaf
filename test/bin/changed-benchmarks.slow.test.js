/** Gates whose benchmark files changed: both sides run the head's, and the gate says what it could not compare. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { createRepository } from '../harness/gate/repository.js'
import './brief.js'
import { pick, timerqHere, words } from './timerq.js'

const SUM = 'export const sum = n => { let s = 0; for (let i = 0; i < n; i++) s += i % 3; return s }\n'
const THRICE = SUM.replace('i < n', 'i < 3 * n')
const ALIKE = "both sides ran the head's bench/a.bench.js, so changes in it were not compared"

/**
 * @param {string[]} tasks  Lines that add them.
 * @param {string} [imported]
 */
const benchmark = (tasks, imported = "import { sum } from '../src/sum.js'") =>
  [
    "import { Bench } from 'tinybench'",
    imported,
    'const bench = new Bench()',
    ...tasks,
    'await bench.run()',
    ''
  ].join('\n')
const OTHER = "import { sum } from '../src/sum.js'\nimport { sum as other } from '../src/other.js'"
const one = (/** @type {number} */ n, name = 'one') => `bench.add('${name}', () => sum(${n}))`

/**
 * Commits a base, writes the head, and gates it.
 *
 * @param {import('node:test').TestContext} t
 * @param {Record<string, string>} base  Files.
 * @param {Record<string, string | null>} head  null: deleted.
 * @param {string[]} [more]
 * @param {string} [scenario]
 */
async function gate (t, base, head, more = [], scenario = './bench/a.bench.js') {
  const { root, git, write, commit } = createRepository(t)
  const always = { 'package.json': '{"type":"module"}', '.gitignore': 'results\n', 'src/sum.js': SUM }
  for (const [file, text] of Object.entries({ ...always, ...base })) write(file, text)
  commit()
  for (const [file, text] of Object.entries(head)) {
    if (text === null) rmSync(path.join(root, file))
    else write(file, text)
  }
  git('add', '--all')
  const { code, json } = await timerqHere(
    words`gate --base main --scenario ${scenario} --out results/g --junit j.xml --comment c.md --json --rounds 1 ${more}`,
    { cwd: root }
  )
  const record = json
  const [junit, comment] = ['j.xml', 'c.md'].map(file => readFileSync(path.join(root, file), 'utf8'))
  const rowOf = (/** @type {string} */ queue, metric = 'workPerOp') =>
    record.comparisons.find((/** @type {any} */ row) => row.queue === queue && row.metric === metric)
  return { code, record, first: record.answer.text, junit, comment, rowOf }
}

test('both sides run the file of the head, and that is said: heavier inputs are no slower code, which is ' +
  'found as well', async t => {
  const { code, first, rowOf, comment, record } = await gate(
    t,
    { 'bench/a.bench.js': benchmark([one(50), "bench.add('other', () => other(50))"], OTHER), 'src/other.js': SUM },
    {
      'bench/a.bench.js': benchmark([one(150), "bench.add('other', () => other(90))", one(9, 'new')], OTHER),
      'src/other.js': THRICE
    },
    ['--counts', '--measure', 'all']
  )
  assert.deepEqual(
    ['one', 'new'].map(task => rowOf(task).ratio),
    [1, 1]
  )
  assert.ok(rowOf('other').ratio > 2)
  const { subject, unmatched, unmeasured, unrun } = record
  assert.deepEqual([code, subject, unmatched, unmeasured, unrun], [1, 'task', [], undefined, undefined])
  assert.ok(first.endsWith(`; ${ALIKE}`), first)
  assert.ok(comment.includes(ALIKE))
})

test('data next to the benchmark is the head\'s, too; a module there is code, and is listed', async t => {
  const read = "import { readFileSync } from 'node:fs'\nimport { sum } from './helper.js'"
  const task = "bench.add('one', () => sum(size))"
  const size = "const size = JSON.parse(readFileSync(new URL('size.json', import.meta.url), 'utf8'))"
  const file = benchmark([size, task], read)
  const { rowOf, first } = await gate(
    t,
    { 'bench/a.bench.js': file, 'bench/size.json': '50', 'bench/helper.js': SUM },
    { 'bench/size.json': '500', 'bench/helper.js': THRICE }
  )
  assert.ok(rowOf('one').ratio > 2 && rowOf('one').ratio < 4, JSON.stringify(rowOf('one')))
  assert.match(first, /bench\/helper\.js differs, and each side ran its own; both sides ran the head's bench\/size\.json,/)
})

const WORKLOAD = `import { sum } from '../../src/sum.js'
export const scenario = { name: 'work', kind: 'code', parameters: {}, presets: { quick: {} },
  createWorkload: () => ({ phases: [{ metric: 'nsPerOp', operations: 9, run () { for (let i = 0; i < 9; i++) sum(50) } }] }) }
`

test('a benchmark that was written for an old change is compared, with its helper; a file that was renamed is ' +
  'not lost', async t => {
  const { code, record, rowOf } = await gate(
    t,
    { 'bench/sub/old.bench.js': benchmark([one(50)], "import { sum } from '../../src/sum.js'") },
    {
      'bench/sub/old.bench.js': null,
      'bench/sub/a.bench.js': benchmark([one(50)], "import { sum } from '../helper.js'"),
      'bench/sub/work.js': WORKLOAD,
      'bench/helper.js': "export { sum } from '../src/sum.js'\n",
      'src/sum.js': THRICE
    },
    [],
    './bench/sub/*.js'
  )
  // Without the file, the control would make the gate invalid.
  assert.deepEqual([code, record.unmatched], [3, []], record.answer.text)
  for (const name of ['one', 'work']) assert.ok(rowOf(name).ratio > 2, name)
  assert.doesNotMatch(record.warnings.join(), /only main has/)
})

test('tasks of a file that the base cannot run are new, whatever else changed in it; where no row is left, the ' +
  'message is in JUnit and in the comment, too', async t => {
  const reading = (/** @type {string} */ file, /** @type {string} */ sum) =>
    benchmark([`bench.add('one', () => ${sum}(n))`], `import { ${sum} } from '../src/sum.js'\nimport n from './${file}.js'`)
  const { code, first, junit, comment, record } = await gate(
    t,
    {
      'bench/a.bench.js': reading('large', 'sum'),
      'bench/large.js': 'export default 500\n',
      'bench/small.js': 'export default 5\n'
    },
    { 'src/sum.js': `${THRICE}export const other = sum\n`, 'bench/a.bench.js': reading('small', 'other') }
  )
  assert.equal(code, 4)
  const reason = /main cannot run it: bench\/a\.bench\.js:2:10: .*other/
  assert.deepEqual([first, junit, comment].map(text => reason.test(text)), [true, true, true], first)
  assert.deepEqual(record.comparisons, [])
})

test('a task of a function that the base lacks is named, and the others are compared', async t => {
  const all = "import * as all from '../src/sum.js'\nconst { sum } = all"
  const { code, record, rowOf } = await gate(
    t,
    { 'bench/a.bench.js': benchmark([one(50)], all) },
    {
      'src/sum.js': `${SUM}export const other = sum\n`,
      'bench/a.bench.js': benchmark([one(50), "bench.add('new', () => all.other(5))"], all)
    }
  )
  assert.equal(code, 3)
  assert.equal(rowOf('one').ratio, 1)
  assert.deepEqual(record.unmeasured, undefined)
  assert.match(record.unmatched[0].reason, /^main cannot run it: .*all\.other is not a function/)
})

const LISTED = {
  'bench/a.bench.js': benchmark([
    one(50),
    one(10, 'old'),
    "await new Bench({ name: 'more' }).add('last', () => sum(5)).run()"
  ]),
  'bench/b.bench.js': benchmark([one(10, 'gone')])
}

test('tasks and files that only the base has are listed, unless --task leaves them out', async t => {
  const head = { 'bench/a.bench.js': benchmark([one(50), one(10, 'renamed')]), 'bench/b.bench.js': null }
  const listed = async (/** @type {string[]} */ ...more) => {
    const { record } = await gate(t, LISTED, head, more, './bench/*.bench.js')
    assert.equal(record.unmeasured, undefined)
    assert.ok(record.warnings.includes('only main has bench/b.bench.js: it was not compared'))
    return pick(record.unmatched, 'queue', 'reason').sort()
  }
  const reason = 'only main has this task'
  assert.deepEqual(await listed(), [['last', reason], ['old', reason]])
  assert.deepEqual(await listed('--task', '^(one|renamed)'), [])
})

test('a changed module that no task loads is named', async t => {
  const { record } = await gate(
    t,
    {
      'bench/a.bench.js': benchmark([one(50)], "import { sum } from '../dist/sum.js'"),
      'dist/sum.js': SUM,
      'src/dead.js': ''
    },
    { 'src/sum.js': THRICE, 'test/sum.test.js': '', 'src/sum.d.ts': '', 'src/dead.js': null }
  )
  assert.deepEqual(record.unrun, ['src/sum.js'])
})

for (const [title, base, head] of /** @type {[string, Record<string, string>, Record<string, string>][]} */ ([
  [
    'a fixture of the head is missing',
    {},
    { 'bench/a.bench.js': benchmark([one(50), 'null.missing()', one(5, 'two')]) }
  ],
  [
    'the code that both files call between two tasks throws in the head',
    { 'bench/a.bench.js': benchmark([one(50), 'sum(0)', one(5, 'two')]) },
    { 'src/sum.js': "export const sum = n => { if (n === 0) throw new Error('none'); return n }\n" }
  ]
])) {
  test(`an error while a file is read makes its rows invalid, with its place: ${title}`, async t => {
    const { code, rowOf, first } = await gate(
      t,
      { 'bench/a.bench.js': benchmark([one(50), one(5, 'two')]), ...base },
      head
    )
    assert.equal(code, 4, first)
    assert.match(rowOf('one', 'nsPerOp').reason, /^head: .*(a\.bench|sum)\.js:\d+:\d+: .*(missing|none)/)
  })
}
