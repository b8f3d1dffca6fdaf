import { test } from 'node:test'
import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { handler } from '../../bin/commands/gate.js'
import { Console } from '../../bin/console.js'
import { resolveQueues } from '../../bin/request/catalogue.js'
import { IN_HEAT, kill, WatchedRun } from '../faults/watched-run.js'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { project } from './project.js'
import { capture, timerq, timerqHere } from './timerq.js'

const TRACE = fileURLToPath(new URL('../fixtures/traces/websocket-heartbeats.trace', import.meta.url))
const ONE_CELL = ['--queue', './src/heap.js', '--scenario', 'refresh-one-duration', '--size', '1000', '--seed', '1']
/** One look, and enough to find a slowdown in one cell. */
const FEW_HEATS = ['--rounds', '8']
/** What is counted or went wrong decides without more. */
const ONE_HEAT = ['--rounds', '1']

test('a queue made three times slower fails the gate; one that was killed is continued: same plan, same sides, every pair once', async t => {
  const { root, git, edit, slowDown } = project(t)
  slowDown()
  // Two counts, and the three processes of the first heat.
  const gate = new WatchedRun(t, ['gate', '--base', 'main', ...ONE_CELL, ...FEW_HEATS], { folder: root, out: 'results/gate', hold: { at: IN_HEAT, after: 5 } })
  await gate.held()
  kill(gate.pid, 'SIGKILL')
  assert.equal(await gate.end(), 'SIGKILL')
  assert.equal(gate.samples().length, 5)
  // The sides stay as they were at the start, whatever happens to the working tree.
  edit(source => source.replace('i < 60', 'i < 1'))
  const { code, stdout, stderr } = await timerq(['gate', '--resume', 'results/gate', '--json'], { cwd: root })
  assert.equal(code, 1, stderr)
  const { verdict, comparisons, control } = JSON.parse(stdout)
  const [time] = comparisons
  assert.deepEqual([verdict, time.queue, time.scenario, time.metric, time.verdict], ['regression', 'heap', 'refresh-one-duration', 'nsPerOp', 'regression'])
  assert.ok(time.pairs >= 8 && time.ratio > 2 && time.low > 1.5, `${time.ratio} in ${time.pairs} pairs`)
  const work = comparisons.find((/** @type {any} */ { metric }) => metric === 'workPerOp')
  assert.deepEqual([work.gates, work.verdict], [true, 'regression'])
  // By chance alone, one control in a hundred moves. None moves this far.
  assert.ok(control.pairs >= 8 && Math.abs(Math.log(control.ratio)) < Math.log(1.5), `${control.ratio} in ${control.pairs} pairs`)
  const heats = gate.samples().filter(({ channel, queue }) => channel === 'heat' && queue === 'heap@head')
  assert.deepEqual(heats.map(({ round }) => round).sort((a, b) => a - b), Array.from({ length: time.pairs }, (_, round) => round))
  assert.ok(!existsSync(path.join(root, 'results/gate/sides')), 'the folders of both sides are gone')
  assert.equal(git('worktree', 'list').trim().split('\n').length, 1)
  const again = await timerqHere(['gate', '--resume', 'results/gate', '--json'], { cwd: root })
  assert.deepEqual([again.code, JSON.parse(again.stdout).comparisons], [1, comparisons])
  for (const command of ['run', 'recommend']) {
    const { code, stderr } = await timerqHere([command, '--resume', 'results/gate'], { cwd: root })
    assert.deepEqual([code, stderr], [2, 'timerq: results/gate holds a gate, not a run: continue it with timerq gate --resume results/gate\n'])
  }
})

test('a queue left alone never fails the gate', async t => {
  const { root } = project(t)
  const { code, stdout, stderr } = await timerq(['gate', '--base', 'HEAD', ...ONE_CELL, ...FEW_HEATS, '--json'], { cwd: root })
  const { comparisons, control } = JSON.parse(stdout)
  // By chance alone, one control in a hundred moves, and makes its gate invalid.
  assert.ok(code === 0 || code === 3 || (code === 4 && control.moved), `exit ${code}: ${stderr}`)
  assert.ok(comparisons.every((/** @type {any} */ { verdict }) => verdict !== 'regression'))
  assert.ok(comparisons.filter((/** @type {any} */ { exact }) => exact).every((/** @type {any} */ { change }) => change === 'same'))
})

test('a self-check compares the base with itself, whatever the working tree holds', async t => {
  const { root, slowDown } = project(t)
  slowDown()
  const summary = path.join(root, 'summary.md')
  const env = { ...process.env, GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary }
  const { code, stdout, stderr } = await timerq(['gate', '--base', 'main', '--self-check', ...ONE_CELL, '--rounds', '1', '--json', '--comment', 'comment.md'], { cwd: root, env })
  assert.equal(code, 3, stderr)
  const { head, comparisons } = JSON.parse(stdout)
  assert.equal(head, 'main itself')
  const work = comparisons.find((/** @type {any} */ { metric }) => metric === 'workPerOp')
  assert.equal(work.ratio, 1)
  assert.match(readFileSync(path.join(root, 'comment.md'), 'utf8'), /^## ❔ timerq: inconclusive\n\n1 of \d rows? unclear/)
  // It says nothing about a change.
  assert.doesNotMatch(stderr, /::/)
  assert.ok(!existsSync(summary))
  const onCounts = await timerqHere(['gate', '--base', 'baseline.json', '--self-check'], { cwd: root })
  assert.equal(onCounts.code, 2)
  assert.match(onCounts.stderr, /--self-check is about times/)
})

test('a head that dies is no pass', async t => {
  const { root, edit } = project(t)
  edit(source => source.replace('  insert (timer, deadline) {\n', '  insert (timer, deadline) {\n    process.exit(9)\n'))
  const { code, stdout } = await timerq(['gate', '--base', 'main', ...ONE_CELL, ...ONE_HEAT], { cwd: root })
  assert.equal(code, 4, stdout)
  assert.match(stdout, /^invalid: .*heap on refresh-one-duration.*head: the process ended with exit code 9/)
})

test('a head that fires the wrong timers never passes', async t => {
  const { root, edit } = project(t)
  edit(source => source.replace('while (this.nextExpiry() <= now)', 'while (this.nextExpiry() <= now + 5)'))
  const { code, stdout } = await timerq(['gate', '--base', 'main', '--queue', './src/heap.js', '--scenario', 'staggered-expiry', '--size', '100', ...ONE_HEAT], { cwd: root })
  assert.equal(code, 4, stdout)
  assert.match(stdout, /head: it fired a timer early.*timerq check/)
})

/**
 * The heap as a workspace of its own, which the queue that is gated imports by name.
 *
 * @param {import('node:test').TestContext} t
 */
function workspaces (t) {
  const { root, git, slowDown } = project(t)
  const heap = path.join(root, 'packages/heap')
  mkdirSync(heap, { recursive: true })
  cpSync(path.join(root, 'src'), heap, { recursive: true })
  writeFileSync(path.join(heap, 'package.json'), '{ "name": "heap", "type": "module", "exports": "./heap.js" }\n')
  writeFileSync(path.join(root, 'package.json'), '{ "type": "module", "workspaces": ["packages/*"] }\n')
  writeFileSync(path.join(root, '.gitignore'), 'results/\nnode_modules/\n')
  writeFileSync(path.join(root, 'src/heap.js'), "export * from 'heap'\n")
  mkdirSync(path.join(root, 'node_modules'))
  git('add', '.')
  git('commit', '--quiet', '--message', 'Move the heap to a workspace')
  return { root, git, link: path.join(root, 'node_modules/heap'), slowDown: () => slowDown('packages/heap/heap.js') }
}

test('the base of a workspace runs its own packages, not the working tree\'s; a regression names the cell everywhere', async t => {
  const { root, git, link, slowDown } = workspaces(t)
  symlinkSync('../packages/heap', link)
  slowDown()
  const summary = path.join(root, 'summary.md')
  const env = { ...process.env, GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary }
  const { code, stdout, stderr } = await timerq(['gate', '--base', 'main', ...ONE_CELL, ...ONE_HEAT, '--json', '--junit', 'junit.xml', '--out', 'results/gate'], { cwd: root, env })
  assert.equal(code, 1, stderr)
  assert.match(stderr, /::error title=timerq%3A regression,file=src\/heap\.js::heap on refresh-one-duration/)
  assert.match(readFileSync(summary, 'utf8'), /## ❌ timerq: regression/)
  assert.match(readFileSync(path.join(root, 'junit.xml'), 'utf8'), /<failure/)
  assert.ok(!existsSync(path.join(root, 'results/gate/sides')), 'the folders of both sides are gone')
  assert.equal(git('worktree', 'list').trim().split('\n').length, 1)
  const work = JSON.parse(stdout).comparisons.find((/** @type {any} */ { metric }) => metric === 'workPerOp')
  assert.ok(work.ratio > 2, `${work.base} and ${work.head} blocks`)
})

test('a base that runs code of the working tree is no pass', async t => {
  const { root, link } = workspaces(t)
  // To a side this looks like a package, but its code is the repository's.
  mkdirSync(link)
  writeFileSync(path.join(link, 'package.json'), '{ "name": "heap", "type": "module", "exports": "./index.js" }\n')
  writeFileSync(path.join(link, 'index.js'), "export * from '../../packages/heap/heap.js'\n")
  const { code, stdout } = await timerq(['gate', '--base', 'main', ...ONE_CELL, ...ONE_HEAT], { cwd: root })
  assert.equal(code, 4, stdout)
  assert.match(stdout, /^invalid: .*base: it runs .*packages\/heap\/heap\.js, which is not its own copy of that file/)
})

test('a recorded program is gated by its trace; changes that affect both sides alike are reported: lockfiles, traces, options of Node', async t => {
  const { root } = project(t)
  writeFileSync(path.join(root, 'package-lock.json'), '{}')
  cpSync(TRACE, path.join(root, 'today.trace'))
  const { stdout, stderr } = await timerq(['gate', '--base', 'main', '--queue', './src/heap.js', '--trace', 'today.trace', '--rounds', '2', '--seed', '1', '--json'],
    { cwd: root, env: { ...process.env, NODE_OPTIONS: '--max-old-space-size=2000' } })
  const { comparisons, warnings } = JSON.parse(stdout)
  const [time] = comparisons
  const work = comparisons.find((/** @type {any} */ { metric }) => metric === 'workPerOp')
  assert.deepEqual([time.scenario, time.pairs, time.reason], ['trace', 2, undefined], stderr)
  assert.deepEqual([work.metric, work.exact, work.change], ['workPerOp', true, 'same'])
  assert.deepEqual(warnings.slice(0, 3), [
    'not as in main: package-lock.json; both sides were measured with the packages that are installed now',
    'not as in main: today.trace; both sides were measured under the workload of the working tree',
    'NODE_OPTIONS is set, for both sides: --max-old-space-size=2000'
  ])
})

test('a revision that git cannot check out is reported in one line, and leaves no directory behind', async t => {
  const { root, git } = project(t)
  writeFileSync(path.join(root, '.git/info/attributes'), '*.js filter=absent\n')
  git('config', 'filter.absent.smudge', 'false')
  git('config', 'filter.absent.required', 'true')
  const { code, stderr } = await timerqHere(['gate', '--base', 'main', ...ONE_CELL, '--out', 'results/gate'], { cwd: root })
  assert.equal(code, 2)
  assert.match(stderr, /^timerq: git worktree add in .*: fatal: .* smudge filter absent failed\n$/)
  assert.ok(!existsSync(path.join(root, 'results/gate')))
  assert.equal(git('worktree', 'list').trim().split('\n').length, 1)
})

test('a queue that the base lacks is listed beside one that it has', async t => {
  const { root } = project(t)
  cpSync(path.join(root, 'src/heap.js'), path.join(root, 'src/new.js'))
  const { stdout, stderr } = await timerq(['gate', '--base', 'main', ...ONE_CELL.with(1, './src/heap.js,./src/new.js'), '--rounds', '1', '--json'], { cwd: root })
  const { comparisons, unmatched } = JSON.parse(stdout)
  assert.ok(comparisons.every((/** @type {any} */ { queue }) => queue === 'heap'))
  assert.deepEqual(unmatched.map((/** @type {any} */ { queue, params, reason }) => [queue, params, reason]), [['new', { size: 1000 }, 'src/new.js is not in main: nothing to compare with']])
  assert.match(stderr, /^--rounds 1: with fewer than 8 pairs, few rows can be decided on time$/m)
})

test('a queue that the base lacks cannot be gated', async t => {
  const { root } = project(t)
  cpSync(path.join(root, 'src/heap.js'), path.join(root, 'src/new.js'))
  const { code, stderr } = await timerqHere(['gate', '--base', 'main', '--queue', './src/new.js'], { cwd: root })
  assert.equal(code, 4)
  assert.match(stderr, /src\/new\.js is not in main: nothing to compare with/)
})

test('Ctrl-C keeps the pairs and says how to continue', async t => {
  const { root } = project(t)
  const gate = new WatchedRun(t, ['gate', '--base', 'main', ...ONE_CELL, ...FEW_HEATS], { folder: root, out: 'results/gate', hold: { at: IN_HEAT, after: 5 } })
  await gate.held()
  kill(gate.pid, 'SIGINT')
  gate.release()
  assert.equal(await gate.end(), 130)
  assert.match(gate.stderr, /continue with: timerq gate --resume results\/gate/)
  assert.equal(gate.samples().length, 5)
})

test('a baseline file catches one comparison more, without a clock', async t => {
  const { root, edit } = project(t)
  const gate = (/** @type {string[]} */ ...args) => timerqHere(['gate', '--base', 'baseline.json', ...args], { cwd: root })
  assert.equal((await gate()).code, 2)
  assert.equal((await gate('--update', '--queue', './src/heap.js', '--scenario', 'refresh-one-duration', '--size', '400')).code, 0)
  const before = readFileSync(path.join(root, 'baseline.json'), 'utf8')
  assert.equal((await gate()).code, 0)

  edit(source => source.replace('    timer.deadline = deadline\n    this.#heap.moved', '    timer.deadline = deadline % 2 === 0 ? deadline : +deadline\n    this.#heap.moved'))
  const { code, stdout } = await gate()
  assert.equal(code, 1)
  assert.match(stdout, /^regression: .*heap on refresh-one-duration, size 400: [\d.]+ % more work/)

  const junit = path.join(root, 'reports/of-today/timerq.xml')
  assert.equal((await gate('--junit', junit)).code, 1)
  assert.match(readFileSync(junit, 'utf8'), /<failure/)
  const unwritable = await gate('--junit', 'package.json/timerq.xml')
  assert.equal(unwritable.code, 2)
  assert.match(unwritable.stderr, /^timerq: cannot write package\.json\/timerq\.xml: .*; choose another file\n$/)
  const { GITHUB_STEP_SUMMARY: usual } = process.env
  process.env.GITHUB_STEP_SUMMARY = '/dev/null/summary.md'
  t.after(() => { process.env.GITHUB_STEP_SUMMARY = usual ?? '' })
  const unsummarised = await gate()
  assert.deepEqual([unsummarised.code, /^timerq: cannot write \/dev\/null\/summary\.md: .*; choose another file$/m.test(unsummarised.stderr)], [1, true], unsummarised.stderr)

  assert.equal((await gate('--update')).code, 0)
  assert.notEqual(readFileSync(path.join(root, 'baseline.json'), 'utf8'), before)
  assert.equal((await gate()).code, 0)
})

test('what is to be written can be written, or nothing is measured', async () => {
  const { stream } = capture()
  const console = new Console({ stdout: stream, stderr: stream }, {})
  for (const options of [{ junit: '/dev/null/x.xml' }, { comment: '/dev/null/x.md' }, { base: 'no-folder/baseline.json', update: true }]) {
    const request = /** @type {any} */ ({ base: 'baseline.json', ...options })
    await assert.rejects(handler(request, console), { exitCode: 2, message: /^cannot write .*; choose another file$/ })
  }
})

test('Ctrl-C while counting names no directory to continue, for there is none', async t => {
  const { stream, text } = capture()
  const console = new Console({ stdout: stream, stderr: stream }, {})
  const interruptible = console.interruptible.bind(console)
  console.interruptible = (work, describeRest) => interruptible(signal => {
    process.emit('SIGINT')
    return work(signal)
  }, describeRest)
  const file = path.join(temporaryFolder(t), 'baseline.json')
  const request = { base: file, update: true, budget: 300, commandLine: ['timerq', 'gate'], again: '', floor: 0.02, margin: 0.05, alpha: 0.05, queue: resolveQueues(['binary-heap']), size: [10] }
  assert.equal(await handler(/** @type {any} */ (request), console), 130)
  assert.equal(text(), 'timerq: stopped\n')
})

test('a baseline file refuses what it could not remember, and says why', async t => {
  const { root } = project(t)
  const gate = (/** @type {string[]} */ ...args) => timerqHere(['gate', '--base', 'baseline.json', ...args], { cwd: root })
  for (const args of [['--runtime', process.execPath], ['--node-flags', '--stack-size=900'], ['--sweep', 'size=10'], ['--trace', TRACE]]) {
    const { code, stderr } = await gate('--update', '--queue', './src/heap.js', ...args)
    assert.equal(code, 2)
    assert.match(stderr, new RegExp(`^timerq: ${args[0]} is not for a baseline file: .*\n$`))
  }
  const server = await gate('--update', '--queue', './src/heap.js', '--scenario', 'keep-alive', '--load', 'autocannon')
  assert.deepEqual([server.code, /keep-alive is a server/.test(server.stderr)], [2, true])
  assert.ok(!existsSync(path.join(root, 'baseline.json')))

  assert.equal((await gate('--update', ...ONE_CELL)).code, 0)
  const other = await gate('--seed', '2')
  assert.equal(other.code, 2)
  assert.match(other.stderr, /baseline\.json was counted with --seed 1, got 2: .* \(--update counts it again\)\n$/)
  assert.equal((await gate('--seed', '2', '--update')).code, 0)
  assert.equal(JSON.parse(readFileSync(path.join(root, 'baseline.json'), 'utf8')).seed, 2)
})

for (const [args, message] of /** @type {[string[], RegExp][]} */ ([
  [['--base', 'mian'], /--base must be a revision or a baseline file, got "mian"/],
  [['--base', 'main'], /^timerq: gate needs --queue: a file of this repository \(\.\/src\/my-queue\.js\)\n$/],
  [['--base', 'main', '--queue', 'binary-heap'], /--queue must name files of the repository .*, got binary-heap \(try --queue \.\//],
  [['--base', 'main', '--queue', './src/heap.js', '--budget', '3s'], /^timerq: --budget must allow 8 heats of each of 3 cells, got 3s, enough for about \d \(try --budget \d+s, or fewer cells: --queue, --scenario\)\n$/]
])) {
  test(`gate ${args.join(' ')}: ${message.source}`, async t => {
    const { root } = project(t)
    const { code, stderr } = await timerqHere(['gate', ...args], { cwd: root })
    assert.equal(code, 2)
    assert.match(stderr, message)
  })
}
