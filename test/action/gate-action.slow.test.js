/** The gate's action, step by step, on pull requests of all outcomes. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { project } from '../bin/project.js'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { dryRun, ROOT } from './dry-run.js'

/**
 * A pull request merged into its base, as actions/checkout leaves it.
 *
 * @param {import('node:test').TestContext} t
 * @param {(made: ReturnType<typeof project>) => void} change
 */
function pullRequest (t, change) {
  const made = project(t)
  change(made)
  made.git('commit', '--quiet', '--all', '--message', 'Change')
  return { cwd: made.root, temp: temporaryFolder(t), base: made.git('rev-parse', '--short=10', 'HEAD^1').trim() }
}

const comment = (/** @type {ReturnType<typeof project>} */ { edit }) =>
  edit(source => source + '// Nothing that runs.\n')
const slowDown = (/** @type {ReturnType<typeof project>} */ made) => made.slowDown()
const github = { event_name: 'pull_request', event: { pull_request: { number: 17 } } }
const ONE_CELL = { queue: './src/heap.js', scenario: 'refresh-one-duration', size: '1000' }

/**
 * timerq with one round, from which no time can be decided, and with a self-check that ends as the test asks, whatever
 * this machine can tell.
 *
 * @param {import('node:test').TestContext} t
 * @param {number} [selfCheck]  Exit code of the self-check; undefined runs it.
 */
function oneRound (t, selfCheck) {
  const folder = temporaryFolder(t)
  mkdirSync(path.join(folder, 'bin'))
  mkdirSync(path.join(folder, 'node_modules'))
  writeFileSync(
    path.join(folder, 'bin/timerq.js'),
    `
if (!process.argv.includes('--rounds')) process.argv.push('--rounds', '1')
if (process.argv.includes('--self-check') && ${selfCheck !== undefined}) process.exitCode = ${selfCheck}
else await import(${JSON.stringify(path.join(ROOT, 'bin/timerq.js'))})
`
  )
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }\n')
  return { GITHUB_ACTION_PATH: folder }
}

test('a pull request that changes nothing gets a short comment and does not fail', t => {
  const { base, ...where } = pullRequest(t, comment)
  const { code, log, outputs, used, summary } = dryRun('action.yml', {
    ...where,
    github,
    inputs: ONE_CELL,
    env: oneRound(t, 0)
  })
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
  assert.ok(
    text
      .replace(/<details>.*<\/details>/s, '')
      .split('\n')
      .filter(Boolean).length <= 5
  )
})

test('much more work fails, with an annotation at the file, on a runner that cannot tell, too: counts are exact', t => {
  const { code, failed, log, outputs, summary } = dryRun('action.yml', {
    ...pullRequest(t, slowDown),
    github,
    inputs: { ...ONE_CELL, junit: 'junit.xml' },
    env: oneRound(t, 3)
  })
  assert.deepEqual([code, failed, outputs.verdict, outputs['can-tell']], [1, 'Verdict', 'regression', 'false'], log)
  assert.match(
    log,
    /^::error title=timerq%3A regression,file=src\/heap\.js::heap on refresh-one-duration, size 1 000: .* times the work/m
  )
  assert.match(summary, /^## ❌ timerq: regression/)
  assert.match(
    readFileSync(path.join(outputs.comment, 'comment.md'), 'utf8'),
    /^## ❌ timerq: regression\n\n.*times the work/
  )
})

test('a runner that cannot tell says so and fails no change', t => {
  const { code, log, outputs, summary } = dryRun('action.yml', {
    ...pullRequest(t, comment),
    github,
    inputs: ONE_CELL,
    env: oneRound(t)
  })
  assert.deepEqual([code, outputs['can-tell'], outputs.verdict], [0, 'false', 'inconclusive'], log)
  assert.match(log, /^::warning title=timerq: this runner cannot tell::/m)
  assert.match(summary, /> This runner cannot tell/)
  assert.match(
    readFileSync(path.join(outputs.comment, 'comment.md'), 'utf8'),
    /\n> This runner cannot tell: .* Only counts were compared\.\n$/
  )
})

test('where the base has nothing to measure, nothing is said about the runner', t => {
  const { code, log, outputs } = dryRun('action.yml', {
    ...pullRequest(t, ({ root, git }) => {
      cpSync(path.join(root, 'src/heap.js'), path.join(root, 'src/new.js'))
      git('add', 'src/new.js')
    }),
    github,
    inputs: { ...ONE_CELL, queue: './src/new.js', junit: 'junit.xml' },
    env: oneRound(t)
  })
  assert.deepEqual([code, outputs['can-tell']], [4, 'false'], log)
  assert.match(
    log,
    /^::warning title=timerq: this runner was not checked::Because nothing of the base could be measured, /m
  )
  assert.doesNotMatch(log, /as fast as itself/)
  const comment = readFileSync(path.join(outputs.comment, 'comment.md'), 'utf8')
  assert.match(comment, /src\/new\.js is not in .*: nothing to compare with/i)
  assert.match(
    comment,
    /> This runner was not checked: nothing of the base could be measured\. Only counts were compared\.\n$/
  )
})

test('a mistake fails in one line, before anything is measured', t => {
  for (const [inputs, words] of /** @type {[Record<string, string>, RegExp][]} */ ([
    [{ ...ONE_CELL, base: 'nonsense' }, /--base must be a revision, got "nonsense"/],
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
