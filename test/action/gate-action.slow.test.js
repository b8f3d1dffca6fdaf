/** The gate's action, step by step. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
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
  return { cwd: made.root, temp: temporaryFolder(t) }
}

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

test('much more work fails, with an annotation at the file, on a runner that cannot tell, too: counts are exact', t => {
  const { code, failed, log, outputs, summary } = dryRun('action.yml', {
    ...pullRequest(t, slowDown),
    github,
    inputs: { ...ONE_CELL, install: 'touch installed' },
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
    /^## ❌ timerq: regression\n\n.*times the work.*--install 'touch installed'/s
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
