/** Tests that formats of benchmark files share: each format has its files. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { descriptionsOf } from '../descriptions.js'
import { take } from '../measure/entrants.js'
import { temporaryFolder } from '../temporary-folder.js'
import { measure } from './measure-task.js'
import { benchmarkFile } from './project-folder.js'

/** The start of a file. */
export const BENCH = "import { Bench } from 'tinybench'\nconst bench = new Bench().add('a', () => 1)\n"

export const fileOf = (/** @type {string} */ name) =>
  new URL(`../../fixtures/benchmarks/${name}`, import.meta.url).href

/**
 * @param {string} file
 * @param {[name: string, control: string, tasks: string[]][]} groups  Scenario, control and tasks of each group.
 */
export function testTasks (file, groups) {
  test(`${file}: its tasks are found, and each is measured in a separate process`, async () => {
    const described = await descriptionsOf(fileOf(file))
    assert.deepEqual(described.map(({ name, control, tasks }) => [name, control, tasks]), groups)
    for (const { tasks = [], of } of described) {
      for (const task of tasks) await measure(fileOf(file), { group: of?.group ?? '', task })
    }
  })
}

/**
 * @param {string} scenarioUrl
 * @param {{group: string, task: string}} of
 */
export async function countBlocks (scenarioUrl, of) {
  const job = { queueUrl: '', isCode: true, scenarioUrl, of, params: {}, seed: 1 }
  return (await take('count', job)).metrics.workPerOp
}

/** Declares the state, and a task that fails unless the state is the wanted one. */
const STATE = `let state = 0
const expecting = wanted => () => {
  if (state !== wanted) throw new Error('the state is ' + state)
}
`

/**
 * A file is held where it runs the measured task: each task here fails in any other state than that one, and the end of
 * each file changes the state.
 *
 * @param {Record<string, {source: string, tasks: string[][], file?: string}>} files  Tasks by group.
 */
export function testStates (files) {
  for (const [title, { source, tasks, file }] of Object.entries(files)) {
    test(title, async t => {
      const href = benchmarkFile(t, STATE + source, file)
      const described = await descriptionsOf(href)
      assert.deepEqual(described.map(({ tasks, fault }) => fault ?? tasks), tasks)
      for (const { of, tasks: own = [] } of described) {
        for (const task of own) await measure(href, { group: of?.group ?? '', task })
      }
    })
  }
}

/**
 * @param {string[]} notes  Notes of the hooks around all calls.
 * @param {string} source  Body of a file whose task is named a.
 */
export function testHooks (notes, source) {
  test('hooks that come before and after all calls run once, measured or counted', async t => {
    const file = path.join(temporaryFolder(t), 'notes')
    const header = `import { appendFileSync } from 'node:fs'
const note = text => async () => appendFileSync(${JSON.stringify(file)}, text + '\\n')
`
    const noted = () => readFileSync(file, 'utf8').split('\n').slice(0, -1)
    const scenarioUrl = benchmarkFile(t, header + source)
    const [{ of }] = await descriptionsOf(scenarioUrl)
    const place = { group: of?.group ?? '', task: 'a' }
    await measure(scenarioUrl, place)
    assert.deepEqual(noted(), notes)
    writeFileSync(file, '')
    await countBlocks(scenarioUrl, place)
    // Blocks are counted in one process, after three exercises, and bytes in another.
    assert.deepEqual(noted().sort(), Array(5).fill(notes).flat().sort())
  })
}

/**
 * Files with an error after their first task.
 *
 * @param {[title: string, source: string, fault: RegExp | undefined, tasks: string[]][]} faults  What the description
 *   says of the error, and the tasks.
 */
export function testFaults (faults) {
  for (const [title, source, fault, tasks] of faults) {
    test(`an error of a file that has tasks is told with its place: ${title}`, async t => {
      const described = await descriptionsOf(benchmarkFile(t, source))
      assert.deepEqual(described.flatMap(({ tasks }) => tasks), tasks)
      if (fault) assert.match(String(described[0].fault), fault)
      else assert.equal(described[0].fault, undefined)
    })
  }
}
