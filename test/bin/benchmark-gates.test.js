/** Gates of benchmark files: their tasks, and sides that cannot be loaded. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { symlinkSync } from 'node:fs'
import path from 'node:path'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { countAll } from './brief.js'
import { project } from './project.js'
import { pick, timerqHere, words } from './timerq.js'

const BENCH = `import { Bench } from 'tinybench'
import { work } from '../src/work.js'
const bench = new Bench()
bench.add('work', () => work(10)).add('old', () => 1)
await bench.run()
`

/** @param {import('node:test').TestContext} t */
function repository (t) {
  const made = project(t)
  made.write('bench/work.bench.js', BENCH)
  made.write(
    'src/work.js',
    'export function work (n) {\n  let sum = 0\n  for (let i = 0; i < n; i++) sum += i\n  return sum\n}\n'
  )
  made.commit('Add a benchmark file')
  return made
}

const COUNTED = words`gate --base main --scenario ./bench/*.bench.js --counts --json`

test('a gate by counts alone passes where they are equal', async t => {
  countAll(t)
  const { root, edit } = repository(t)
  edit(source => `// The same.\n${source}`, 'src/work.js')
  const { code, stderr, json } = await timerqHere(words`${COUNTED} --measure all --task work`, { cwd: root })
  assert.deepEqual([code, json.verdict, json.control], [0, 'pass', null], stderr)
  assert.deepEqual(pick(json.comparisons, 'metric', 'exact', 'change'), [
    ['workPerOp', true, 'same'],
    ['allocatedBytesPerOp', true, 'same']
  ])
})

test('a gate compares each task with the base, and lists those that one side has', async t => {
  const { root, edit } = repository(t)
  edit(source => source.replace('i < n', 'i < 3 * n'), 'src/work.js')
  edit(source => source.replace("'old'", "'new'"), 'bench/work.bench.js')
  const { code, stderr, json } = await timerqHere(words`${COUNTED} --measure all`, { cwd: root })
  assert.equal(code, 1, stderr)
  const { subject, comparisons, unmatched } = json
  assert.equal(subject, 'task')
  const work = comparisons.find((/** @type {any} */ { metric }) => metric === 'workPerOp')
  assert.ok(work.ratio > 1.5 && work.queue === 'work' && work.scenario === 'work', JSON.stringify(work))
  assert.deepEqual([...new Set(pick(comparisons, 'queue'))].sort(), ['new', 'work'])
  assert.deepEqual(
    pick(unmatched, 'queue', 'reason'),
    [['old', 'only main has this task']]
  )
})

test('a base whose file cannot be loaded makes the gate invalid, and says where, also by a path that leads ' +
  'through a link', async t => {
  const { root, commit, edit } = repository(t)
  edit(source => `null.missing()\n${source}`, 'src/work.js')
  commit('Break it')
  edit(source => source.replace('null.missing()', ''), 'src/work.js')
  const link = path.join(temporaryFolder(t), 'link')
  symlinkSync(root, link)
  const file = path.join(link, 'bench/work.bench.js')
  const gate = words`gate --base main --scenario ${file} --task work --rounds 1 --json`
  const { code, json } = await timerqHere(gate, { cwd: root })
  const { verdict, comparisons } = json
  assert.deepEqual([code, verdict], [4, 'invalid'])
  assert.match(comparisons[0].reason, /^base: .*src\/work\.js:1:6: cannot be loaded: .*reading 'missing'\)$/)
})

test('a file of a pattern that cannot be loaded fails in a gate, the others do not, whatever --task ' +
  'chooses', async t => {
  const { root, write, commit } = project(t)
  write('bench/good.bench.mjs', "import { bench } from 'vitest'\nbench('good', () => [...'abc'].join())\n")
  write('bench/broken.bench.mjs', "import './gone.js'\n")
  commit('Add benchmark files')
  write('data.txt', 'It may be read.')
  const chosen = ['--scenario', './bench/*.bench.mjs', '--task', '^good']
  const { code, json } = await timerqHere(words`gate --base main ${chosen} --rounds 1 --json`, { cwd: root })
  const { verdict, comparisons } = json
  assert.deepEqual([code, verdict], [4, 'invalid'])
  // One round decides nothing on time.
  assert.deepEqual(
    comparisons
      .filter((/** @type {any} */ { queue, exact }) => queue !== 'good' || exact)
      .map((/** @type {any} */ { queue, reason, verdict }) => [queue, /gone\.js/.test(reason), verdict]),
    [['broken.bench.mjs', true, 'invalid'], ['good', false, 'pass']]
  )
})
