/** Gates from the command line: their files, refusals, and gates that are measured again. */
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { handler } from '../../bin/commands/gate.js'
import './brief.js'
import { ONE_CELL, ONE_HEAT, project, workspaces } from './project.js'
import { pick, timerqHere, words } from './timerq.js'

const { root, link, slowDown } = workspaces(/** @type {any} */ ({ after }))
const GATED = words`--queue ./src/heap.js,./src/new.js`
/** @type {Awaited<ReturnType<typeof timerqHere>>} */
let gated

before(async () => {
  symlinkSync('../packages/heap', link)
  slowDown()
  cpSync(path.join(root, 'packages/heap/heap.js'), path.join(root, 'src/new.js'))
  const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: path.join(root, 'summary.md') }
  const gate = words`gate --base main ${GATED} ${ONE_CELL.slice(2)} ${ONE_HEAT} --prepare true --json --junit
    reports/of-today/junit.xml --out results/gate`
  gated = await timerqHere(gate, { cwd: root, env })
})

test('a gate of workspaces: each side runs its own packages, a regression names the cell everywhere, a queue that ' +
  'the base lacks is listed', () => {
  const { code, stderr, json } = gated
  assert.equal(code, 1, stderr)
  assert.match(stderr, /::error title=timerq%3A regression,file=src\/heap\.js::heap on refresh-one-duration/)
  assert.match(readFileSync(path.join(root, 'summary.md'), 'utf8'), /## ❌ timerq: regression/)
  assert.match(readFileSync(path.join(root, 'reports/of-today/junit.xml'), 'utf8'), /<failure/)
  assert.ok(!existsSync(path.join(root, 'results/gate/sides')), 'the folders of both sides are gone')
  const { comparisons, unmatched } = json
  const work = comparisons.find((/** @type {any} */ { metric }) => metric === 'workPerOp')
  assert.ok(work.ratio > 2, `${work.base} and ${work.head} blocks`)
  assert.ok(comparisons.every((/** @type {any} */ { queue }) => queue === 'heap'))
  assert.deepEqual(pick(unmatched, 'queue', 'params', 'reason'), [
    ['new', { size: 1000 }, 'src/new.js is not in main: nothing to compare with']
  ])
  assert.match(stderr, /^1 round will leave most times undecided: a verdict needs 8 or more \(--rounds, --budget\)$/m)
})

test('a gate that is measured again runs no command that only its results name, and no base ' +
  'that git lacks', async () => {
  const again = (/** @type {string[]} */ ...more) =>
    timerqHere(words`confirm results/gate ${GATED} ${more}`, { cwd: root })
  const message =
    'timerq: results/gate used files, programs or addresses that are not part of timerq. For safety, name them ' +
    'again: timerq confirm results/gate --queue ./src/heap.js,./src/new.js --prepare true\n'
  for (const more of [[], ['--prepare', 'false'], ['--install', 'true']]) {
    const { code, stderr } = await again(...more)
    assert.deepEqual([code, stderr], [2, message])
  }
  const seed = await again('--prepare', 'true', '--seed', '1')
  assert.match(seed.stderr, /^timerq: --seed must be another than that of results\/gate, got 1 \(leave it out\)\n$/)
  const file = path.join(root, 'results/gate/run.json')
  const run = JSON.parse(readFileSync(file, 'utf8'))
  run.plan.of.gate.baseCommit = 'a'.repeat(40)
  writeFileSync(file, JSON.stringify(run))
  const lost = await again('--prepare', 'true')
  assert.match(
    lost.stderr,
    /: the base of results\/gate is not in this repository: main, commit a{40} \(git fetch origin a{40}\)\n$/
  )
})

test('a summary that cannot be written does not cost the verdict', async () => {
  const env = { GITHUB_STEP_SUMMARY: '/dev/null/summary.md' }
  const { code, stdout, stderr } = await timerqHere('gate --base main --queue ./src/new.js', { cwd: root, env })
  assert.equal(code, 4)
  assert.match(stdout, /^invalid: src\/new\.js is not in main/)
  assert.match(stderr, /^timerq: cannot write \/dev\/null\/summary\.md: .*; choose another file$/m)
})

test('a tree that git cannot write is reported in one line, and leaves no directory behind', async t => {
  const { root, git } = project(t)
  writeFileSync(path.join(root, '.git/info/attributes'), '*.js filter=absent\n')
  git('config', 'filter.absent.clean', 'false')
  git('config', 'filter.absent.required', 'true')
  const { code, stderr } = await timerqHere(words`gate --base main ${ONE_CELL} --out results/gate`, {
    cwd: root
  })
  assert.equal(code, 2)
  assert.match(stderr, /^timerq: git [a-z-]+ \S+ in .* clean filter 'absent' failed\n$/)
  assert.ok(!existsSync(path.join(root, 'results/gate')))
})

test('what is to be written can be written, or nothing is measured', async () => {
  // The requests name no queue: a plan of them would be refused with another message.
  const console = /** @type {any} */ ({ interruptible: () => AbortSignal.abort() })
  for (const options of [
    { junit: '/dev/null/x.xml' },
    { comment: '/dev/null/x.md' }
  ]) {
    const request = /** @type {any} */ (options)
    await assert.rejects(handler(request, console), { exitCode: 2, message: /^cannot write .*; choose another file$/ })
  }
})
