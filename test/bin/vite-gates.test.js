/** Gates of benchmark files that Vite or a preloaded module gives their code: each side runs its own. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { planGate } from '../../bin/plans/gate.js'
import { planRun } from '../../bin/plans/run.js'
import { resolveScenarios } from '../../bin/request/catalogue.js'
import { checkOutSides, homeOf } from '../../harness/gate/sides.js'
import { copiesOf, loadSide } from '../../harness/gate/load-side.js'
import './brief.js'
import { project } from './project.js'
import { timerqHere, words } from './timerq.js'

/** Stands for Vite: loads src/work.cjs where the configuration says. */
const VITE = `import { readFileSync } from 'node:fs'
export async function createServer ({ root, configFile }) {
  const { bench } = await import('vitest')
  const { work } = await import(configFile)
  return {
    moduleGraph: { fileToModulesMap: new Map([[work, new Set()]]) },
    async ssrLoadModule () {
      bench('work', new Function('exports = {}', readFileSync(work, 'utf8')))
      return {}
    },
    async close () {}
  }
}
`
const WITH_VITE = {
  'bench/a.bench.mjs': "import '@/work.js'\n",
  'src/work.cjs': 'let sum = 0; for (let i = 0; i < 1000; i++) sum += i\nexports.work = () => sum\n',
  'node_modules/vite/package.json': '{ "exports": "./index.mjs" }',
  'node_modules/vite/index.mjs': VITE,
  '.gitignore': 'node_modules/\nresults/\n'
}
const NOT_ITS_OWN = /^it runs .*, which is not its own copy of that file$/

/**
 * A project with a benchmark file that Vite loads.
 *
 * @param {import('node:test').TestContext} t
 * @param {(root: string) => Record<string, string>} [prepare]  Before it is committed; variables of the environment.
 */
function withVite (t, prepare = () => ({})) {
  const { root, write, commit, edit } = project(t)
  for (const [file, text] of Object.entries(WITH_VITE)) write(file, text)
  const [home, own] = [process.cwd(), process.env]
  process.env = { ...own, ...prepare(root) }
  process.chdir(root)
  t.after(() => {
    process.env = own
    process.chdir(home)
  })
  commit('Add a benchmark file')
  edit(source => source.replace('1000', '9000'), 'src/work.cjs')
  edit(source => `// The head's.\n${source}`, 'bench/a.bench.mjs')
  return root
}

/**
 * @param {string} root
 * @param {string} work  Code of the path that a configuration of Vite gives for the module.
 */
const configure = (root, work) => writeFileSync(path.join(root, 'vite.config.mjs'), `export const work = ${work}`)

/** @param {string} name  Of the command. */
const chosenBy = name => /** @type {any} */ ({ command: { name }, scenario: resolveScenarios(['./bench/a.bench.mjs']) })

for (const [kind, prepare, reason] of /** @type {[string, (root: string) => Record<string, string>, RegExp][]} */ ([
  [
    "Vite's configuration, which git ignores",
    root => {
      configure(root, "new URL('src/work.cjs', import.meta.url).pathname")
      writeFileSync(path.join(root, '.git/info/exclude'), 'vite.config.mjs\n')
      return {}
    },
    /cannot be loaded|needs the package/
  ],
  [
    'a path in the configuration of Vite',
    root => {
      configure(root, JSON.stringify(path.join(root, 'src/work.cjs')))
      return {}
    },
    NOT_ITS_OWN
  ],
  [
    'a module that NODE_OPTIONS loads before',
    root => {
      writeFileSync(
        path.join(root, 'bench/a.bench.mjs'),
        "import { bench } from 'vitest'\nbench('work', () => work())\n"
      )
      writeFileSync(path.join(root, 'preload.cjs'), "globalThis.work = require('./src/work.cjs').work\n")
      return { NODE_OPTIONS: `--require ${path.join(root, 'preload.cjs')}` }
    },
    NOT_ITS_OWN
  ]
])) {
  test(`no side passes for its own what both load from the working tree by ${kind}`, async t => {
    withVite(t, prepare)
    const planned = await planGate({ ...chosenBy('gate'), base: 'main' })
    const { plan } = checkOutSides(/** @type {any} */ ({ plan: planned, directory: 'results' }))
    t.after(() => rmSync(homeOf(plan.sides), { recursive: true }))
    const { lack, failure } = await loadSide(plan, copiesOf(plan, 'base')[0], {})
    assert.match(String(lack ?? failure), reason)
  })
}

test('without a configuration, the root of a file is the working directory, in a gate as in a run', async t => {
  const root = withVite(t, root => {
    const text = VITE.replace('await import(configFile)', "{ work: root + '/src/work.cjs' }")
    writeFileSync(path.join(root, 'node_modules/vite/index.mjs'), text)
    return {}
  })
  assert.deepEqual((await planRun(chosenBy('run'))).queues.map(({ name }) => name), ['work'])
  const gate = words`gate --base main --scenario ./bench/a.bench.mjs --rounds 1 --json`
  const { stdout, json } = await timerqHere(gate, { cwd: root })
  assert.ok(json.comparisons[0]?.ratio > 2, stdout)
})
