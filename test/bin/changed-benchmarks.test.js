/** Gates whose benchmark file changed, or lost tasks: a gate is about the code, and says what it could not compare. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { createRepository } from '../harness/gate/repository.js'
import './brief-gates.js'
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
    ['--counts']
  )
  assert.deepEqual(
    ['one', 'new'].map(task => rowOf(task).ratio),
    [1, 1]
  )
  assert.ok(rowOf('other').ratio > 2)
  assert.deepEqual([code, record.unmatched, record.unmeasured], [1, [], undefined])
  assert.ok(first.endsWith(`; ${ALIKE}`), first)
  assert.ok(comment.includes(ALIKE))
})

test('inputs in a data file next to the benchmark belong to it; a module there is code, and is listed', async t => {
  const read = "import { readFileSync } from 'node:fs'\nimport { sum } from './helper.js'"
  const task = "bench.add('one', () => sum(size))"
  const size = "const size = JSON.parse(readFileSync(new URL('size.json', import.meta.url), 'utf8'))"
  const file = (/** @type {string} */ more) => benchmark([size, task, more], read)
  const { rowOf, first } = await gate(
    t,
    { 'bench/a.bench.js': file(''), 'bench/size.json': '50', 'bench/helper.js': SUM },
    { 'bench/a.bench.js': file('// more'), 'bench/size.json': '500', 'bench/helper.js': THRICE }
  )
  assert.ok(rowOf('one').ratio > 2 && rowOf('one').ratio < 4, JSON.stringify(rowOf('one')))
  assert.match(first, /bench\/helper\.js differs, and each side ran its own/)
})

test("where the base cannot run the head's file, tasks of the same text stay valid, and others " +
  'are unclear', async t => {
  const added = 'export const other = sum\n'
  const { code, first, rowOf, junit, record } = await gate(
    t,
    { 'bench/a.bench.js': benchmark([one(50), one(50, 'same')]) },
    {
      'src/sum.js': SUM + added,
      'bench/a.bench.js': benchmark(
        ["bench.add('one', () => other(150))", one(50, 'same'), one(5, 'new')],
        "import { other, sum } from '../src/sum.js'"
      )
    }
  )
  assert.equal(code, 3, first)
  assert.match(first, /^one in bench\/a\.bench\.js differs from main, which cannot run the head's: .*other/)
  assert.equal(rowOf('one', 'nsPerOp').verdict, 'inconclusive')
  assert.equal(rowOf('one', 'nsPerOp').reason, 'the task itself differs from main')
  assert.equal(rowOf('same').ratio, 1)
  assert.notEqual(rowOf('same', 'nsPerOp').reason, rowOf('one', 'nsPerOp').reason)
  assert.match(junit, /<skipped message="one in bench/)
  assert.deepEqual(pick(record.unmatched, 'queue', 'reason'), [['new', 'main has no such task']])
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

test('without a row that is left, the message is in JUnit and in the comment, too', async t => {
  const all = "import * as all from '../src/sum.js'"
  const { code, first, junit, comment } = await gate(
    t,
    { 'bench/a.bench.js': benchmark([one(50)], "import { sum } from '../src/sum.js'") },
    {
      'src/sum.js': 'export const other = n => n\n',
      'bench/a.bench.js': benchmark(["bench.add('new', () => all.other(5))"], all)
    }
  )
  assert.equal(code, 4)
  const reason = 'main cannot run it: '
  assert.ok(
    [first, junit, comment].every(text => text.includes(reason) && /the head lacks one of main/i.test(text)),
    junit
  )
})

test('a head that lacks a renamed task and a group of its base cannot pass, and says so first', async t => {
  const group = "await new Bench({ name: 'more' }).add('last', () => sum(5)).run()"
  const { code, first, record, junit, comment } = await gate(
    t,
    { 'bench/a.bench.js': benchmark([one(50), one(10, 'old'), group]) },
    { 'bench/a.bench.js': benchmark([one(50), one(10, 'renamed')]) }
  )
  const reason = 'the head lacks last and old of main'
  assert.deepEqual([code, record.unmeasured], [3, [reason]], first)
  assert.ok(first.startsWith(reason) && junit.includes(reason) && /the head lacks/i.test(comment), first)
})

const BELOW = "import { sum } from '../../src/sum.js'"
const TWO = {
  'bench/a.bench.js': benchmark([one(50)]),
  'bench/sub/b.bench.js': benchmark([one(10, 'gone')], BELOW)
}
const PATTERN = './bench/{*,sub/b}.bench.js'

test('a head that lacks a file of a pattern cannot pass, and says so first, unless --task leaves it out', async t => {
  const base = {
    ...TWO,
    'bench/helper.bench.js': 'export {}\n',
    'bench/other.js': benchmark([one(5, 'other')]),
    'bench/a.bench.js': benchmark([one(50), one(10, 'lost')])
  }
  const head = {
    'bench/sub/b.bench.js': null,
    'bench/helper.bench.js': null,
    'bench/other.js': null,
    'bench/a.bench.js': TWO['bench/a.bench.js']
  }
  const { code, first, record, junit, comment } = await gate(t, base, head, [], PATTERN)
  const reason = 'the head lacks bench/sub/b.bench.js and lost of main'
  assert.deepEqual([code, record.unmeasured], [3, [reason]], first)
  assert.ok(first.startsWith(reason) && junit.includes(reason) && comment.includes('lacks bench/sub/b.bench.js'), first)
  assert.deepEqual(
    pick(record.unmatched, 'queue', 'reason'),
    [
      ['gone', 'only main has bench/sub/b.bench.js'],
      ['lost', 'only main has this task']
    ]
  )
  const { record: chosen } = await gate(t, base, head, ['--task', '^one'], PATTERN)
  assert.equal(chosen.unmeasured, undefined)
})

test('a file that was renamed is gated against its old name, wherever it went; one that only the head has ' +
  'is noted', async t => {
  const { code, record, rowOf } = await gate(
    t,
    { 'bench/a.bench.js': TWO['bench/a.bench.js'] },
    {
      'bench/a.bench.js': null,
      // Git would take a file like the old one for the renamed one.
      'bench/new.bench.js': "import { bench } from 'vitest'\nbench('new', () => 1)\n",
      'bench/sub/b.bench.js': benchmark([one(50)], BELOW),
      'src/sum.js': THRICE
    },
    ['--counts'],
    PATTERN
  )
  assert.deepEqual([code, record.unmeasured], [1, undefined])
  assert.deepEqual(
    pick(record.unmatched, 'queue', 'reason'),
    [['new', 'bench/new.bench.js is not in main: nothing to compare with']]
  )
  assert.ok(rowOf('one').ratio > 2)
  assert.ok(record.warnings.includes('bench/sub/b.bench.js is bench/a.bench.js of main'))
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
