import { test } from 'node:test'
import assert from 'node:assert/strict'
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { execFileSync, spawnSync } from 'node:child_process'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { dryRun, readYaml, ROOT } from './dry-run.js'

const SLOW_RESCHEDULE = `
  reschedule (timer, deadline) {
    let waste = 0
    for (let i = 0; i < 60; i++) waste = Math.imul(waste + i, 31)
    if (waste === 7) deadline++
`
/**
 * A pull request merged into its base, as actions/checkout leaves it.
 *
 * @param {import('node:test').TestContext} t
 * @param {(source: string) => string} change
 */
function pullRequest (t, change) {
  const cwd = temporaryFolder(t)
  const file = path.join(cwd, 'src/heap.js')
  cpSync(path.join(ROOT, 'test/fixtures/queues/heap.js'), file)
  cpSync(path.join(ROOT, 'queues/parts/indexed-heap.js'), path.join(cwd, 'src/parts/indexed-heap.js'))
  writeFileSync(path.join(cwd, 'package.json'), '{ "type": "module" }\n')
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], { cwd, encoding: 'utf8', stdio: 'pipe' })
  git('init', '--quiet', '--initial-branch', 'main')
  git('add', '.')
  git('commit', '--quiet', '--message', 'Begin')
  writeFileSync(file, change(readFileSync(file, 'utf8')))
  git('commit', '--quiet', '--all', '--message', 'Change')
  const base = git('rev-parse', '--short=10', 'HEAD^1').trim()
  return { cwd, temp: temporaryFolder(t), base }
}

const comment = (/** @type {string} */ source) => source + '// Nothing that runs.\n'
const slowDown = (/** @type {string} */ source) => source.replace('\n  reschedule (timer, deadline) {\n', SLOW_RESCHEDULE)
const github = { event_name: 'pull_request', event: { pull_request: { number: 17 } } }
const ONE_CELL = { queue: './src/heap.js', scenario: 'refresh-one-duration', size: '1000' }

/**
 * timerq as it is, but for one round, from which nobody can tell anything; and with a self-check that ends as the test wants
 * it, whatever this machine can tell.
 *
 * @param {import('node:test').TestContext} t
 * @param {number} [selfCheck]  Its exit code, where it is not to be run.
 */
function oneRound (t, selfCheck) {
  const folder = temporaryFolder(t)
  mkdirSync(path.join(folder, 'bin'))
  mkdirSync(path.join(folder, 'node_modules'))
  writeFileSync(path.join(folder, 'bin/timerq.js'), `
if (!process.argv.includes('--rounds')) process.argv.push('--rounds', '1')
if (process.argv.includes('--self-check') && ${selfCheck !== undefined}) process.exitCode = ${selfCheck}
else await import(${JSON.stringify(path.join(ROOT, 'bin/timerq.js'))})
`)
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }\n')
  return { GITHUB_ACTION_PATH: folder }
}

test('a pull request that changes nothing gets a short comment and does not fail', t => {
  const { base, ...where } = pullRequest(t, comment)
  const { code, log, outputs, used, summary } = dryRun('action.yml', { ...where, github, inputs: ONE_CELL, env: oneRound(t, 0) })
  assert.equal(code, 0, log)
  // One heat decides nothing, on any machine.
  assert.deepEqual([outputs.verdict, outputs['can-tell']], ['inconclusive', 'true'])
  assert.match(summary, /^## ❔ timerq: inconclusive\n\n1 of \d rows? unclear/)
  assert.match(log, /^::warning title=timerq%3A inconclusive::/m)
  assert.doesNotMatch(log, /::error/)
  const [{ uses, with: saved }] = used
  assert.match(uses, /^actions\/upload-artifact@[0-9a-f]{40}$/)
  assert.equal(saved.path, outputs.comment)
  assert.equal(readFileSync(path.join(saved.path, 'pull-request'), 'utf8'), '17\n')
  const text = readFileSync(path.join(saved.path, 'comment.md'), 'utf8')
  assert.ok(text.includes(`the working tree against ${base}`))
  assert.ok(text.replace(/<details>.*<\/details>/s, '').split('\n').filter(Boolean).length <= 5)
})

test('a regression fails, with an annotation at the file', t => {
  const { code, failed, log, outputs, summary } = dryRun('action.yml', { ...pullRequest(t, slowDown), github, inputs: { ...ONE_CELL, junit: 'junit.xml' }, env: oneRound(t, 0) })
  assert.deepEqual([code, failed, outputs.verdict], [1, 'Verdict', 'regression'], log)
  assert.match(log, /^::error title=timerq%3A regression,file=src\/heap\.js::heap on refresh-one-duration, size 1 000: .* more work/m)
  assert.match(summary, /^## ❌ timerq: regression/)
  assert.match(readFileSync(path.join(outputs.comment, 'comment.md'), 'utf8'), /^## ❌ timerq: regression\n\n.*more work/)
})

test('a runner that cannot tell says so and fails nobody', t => {
  const { code, log, outputs, summary } = dryRun('action.yml', { ...pullRequest(t, comment), github, inputs: ONE_CELL, env: oneRound(t) })
  assert.deepEqual([code, outputs['can-tell'], outputs.verdict], [0, 'false', 'inconclusive'], log)
  assert.match(log, /^::warning title=timerq: this runner cannot tell::/m)
  assert.match(summary, /> This runner cannot tell/)
  assert.match(readFileSync(path.join(outputs.comment, 'comment.md'), 'utf8'), /\n> This runner cannot tell: .* Only counts were compared\.\n$/)
})

test('counts are exact on a runner that cannot tell: much more work fails there, too', t => {
  const { code, log, outputs } = dryRun('action.yml', { ...pullRequest(t, slowDown), github, inputs: ONE_CELL, env: oneRound(t, 3) })
  assert.deepEqual([code, outputs['can-tell'], outputs.verdict], [1, 'false', 'regression'], log)
})

test('a mistake fails in one line, before anything is measured', t => {
  for (const [inputs, words] of /** @type {[Record<string, string>, RegExp][]} */ ([
    [{ ...ONE_CELL, base: 'nonsense' }, /--base must be a revision or a baseline file, got "nonsense"/],
    [{ ...ONE_CELL, queue: './src/haep.js' }, /haep\.js/],
    [{ ...ONE_CELL, scenario: '$(touch injected)' }, /touch injected/]
  ])) {
    const where = pullRequest(t, comment)
    const { code, failed, log } = dryRun('action.yml', { ...where, github, inputs })
    assert.deepEqual([code, failed], [2, 'Can this runner tell?'], log)
    assert.match(log, words)
    assert.ok(!existsSync(path.join(where.cwd, 'injected')))
  }
})

for (const { code, disturbed, strict, exit } of [
  { code: '0', disturbed: 'false', strict: 'true', exit: 0 },
  { code: '1', disturbed: 'false', strict: 'false', exit: 1 },
  { code: '3', disturbed: 'false', strict: 'false', exit: 0 },
  { code: '3', disturbed: 'false', strict: 'true', exit: 3 },
  { code: '1', disturbed: 'true', strict: 'false', exit: 1 },
  { code: '4', disturbed: 'true', strict: 'false', exit: 0 },
  { code: '4', disturbed: 'true', strict: 'true', exit: 3 },
  { code: '4', disturbed: 'false', strict: 'false', exit: 4 }
]) {
  test(`a gate that ends with ${code}${disturbed === 'true' ? ' on a disturbed machine' : ''} ends the action with ${exit}${strict === 'true' ? ', where unclear is not enough' : ''}`, () => {
    const { run } = readYaml('action.yml').runs.steps.at(-1)
    const { status } = spawnSync('bash', ['-eo', 'pipefail', '-c', run], { env: { CODE: code, DISTURBED: disturbed, FAIL_ON_INCONCLUSIVE: strict } })
    assert.equal(status, exit)
  })
}

test('timerq is installed once, without development dependencies and install scripts', t => {
  const folder = temporaryFolder(t)
  writeFileSync(path.join(folder, 'npm'), '#!/bin/sh\necho "$@" >> calls\nmkdir node_modules\n')
  chmodSync(path.join(folder, 'npm'), 0o755)
  const [{ run }] = readYaml('action.yml').runs.steps
  const install = () => spawnSync('bash', ['-eo', 'pipefail', '-c', run], { env: { PATH: `${folder}:${process.env.PATH}`, GITHUB_ACTION_PATH: folder } })
  assert.deepEqual([install().status, install().status], [0, 0])
  assert.equal(readFileSync(path.join(folder, 'calls'), 'utf8'), 'ci --omit=dev --ignore-scripts --no-audit --no-fund\n')
})
