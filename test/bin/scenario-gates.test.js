/** Workloads in files of a user, in gates. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import './brief.js'
import { project } from './project.js'
import { pick, timerqHere, words } from './timerq.js'

/** @import { TestContext } from 'node:test' */

const WORKLOADS = fileURLToPath(new URL('../fixtures/workloads', import.meta.url))
const SUM = path.join(WORKLOADS, 'sum.js')
const UNRULY = fileURLToPath(new URL('../fixtures/scenarios/unruly.js', import.meta.url))

/**
 * A repository with a workload.
 *
 * @param {TestContext} t
 */
function repository (t) {
  const { root, commit, edit } = project(t)
  for (const file of ['sum.js', 'add.js']) cpSync(path.join(WORKLOADS, file), path.join(root, 'bench', file))
  commit('Add a workload')
  return { root, edit }
}

test('a gate of a workload file: an imported file that takes more blocks is shown, a new file is compared', async t => {
  const { root } = repository(t)
  cpSync(path.join(WORKLOADS, 'late-add.js'), path.join(root, 'bench/add.js'))
  writeFileSync(path.join(root, 'bench/new.js'), readFileSync(SUM, 'utf8').replace("'sum'", "'new'"))
  const { code, stderr, json } = await timerqHere(
    'gate --base main --scenario ./bench/sum.js,./bench/new.js --rounds 1 --json --out results/gate',
    { cwd: root }
  )
  assert.equal(code, 3, stderr)
  const { comparisons, unmatched, warnings } = json
  const works = comparisons.filter((/** @type {any} */ { metric }) => metric === 'workPerOp')
  assert.deepEqual(pick(works, 'queue').flat(), ['sum', 'new'])
  // The base runs the head's file, with its own ./add.js.
  for (const { ratio, base, head } of works) assert.ok(ratio > 2, `${base} and ${head} blocks`)
  assert.deepEqual(unmatched, [])
  assert.match(warnings.join('\n'), /different outcomes: the checksums of a heat were/)
  const outside = await timerqHere(words`gate --base main --scenario ${SUM}`, { cwd: root })
  assert.match(outside.stderr, /^timerq: --scenario must name files of the repository .*, got .*sum\.js\n$/)
})

test('a side that imports a file of the working tree is found', async t => {
  const { root, edit } = repository(t)
  edit(source => source.replace('./add.js', path.join(root, 'bench/add.js')), 'bench/sum.js')
  const { json } = await timerqHere('gate --base main --scenario ./bench/sum.js --rounds 1 --json', { cwd: root })
  assert.equal(json.verdict, 'invalid')
  assert.match(json.comparisons[0].reason, /^base: it runs .*bench\/add\.js, which is not its own copy of that file$/)
})

test("a side whose server's file ends its process makes the gate invalid, and says so", async t => {
  const { root, commit, edit } = project(t)
  cpSync(UNRULY, path.join(root, 'server.js'))
  edit(source => `${source}\nprocess.exit(0)\n`, 'server.js')
  commit('Add a server')
  edit(source => source.replace('process.exit(0)', ''), 'server.js')
  const { code, stderr, json } = await timerqHere(
    'gate --base main --scenario ./server.js --rounds 1 --json',
    { cwd: root }
  )
  assert.equal(code, 4, stderr)
  const {
    verdict,
    comparisons: [{ reason }]
  } = json
  assert.equal(verdict, 'invalid')
  assert.match(reason, /^base: .*\/server\.js: the process ended with exit code 0$/)
})
