/** Vite from version 6 on: modules are transformed once, and evaluated by its runner from what is kept. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { giveHeadsFiles } from '../../../harness/gate/benchmark-files.js'
import { hasTransformed, keepAnew, keepFiles, keptFolder } from '../../../harness/measure/modules/kept.js'
import { describedOrNot, modulesOf } from '../../../harness/measure/modules/user-modules.js'
import { descriptionsOf } from '../descriptions.js'
import { take } from '../measure/entrants.js'
import { measure } from './measure-task.js'
import { projectFolder } from './project-folder.js'

/** Stands for Vite: notes each start, resolves '@/', and puts a line before each module. */
const VITE = `import { spawn } from 'node:child_process'
import { appendFileSync, readFileSync } from 'node:fs'
import path from 'node:path'
export async function createServer ({ root }) {
  appendFileSync(path.join(root, 'starts'), 'start\\n')
  process.env.SET_BY_VITE = 'yes'
  // Its transformer is a program, which need not be there for this.
  spawn(path.join(root, 'node_modules', '@esbuild', 'own', 'esbuild')).on('error', () => {})
  return {
    environments: {
      ssr: {
        moduleGraph: {
          // A line is put before each module.
          getModuleById: () => ({
            transformResult: { map: { mappings: ';AAAA;AACA;AACA;AACA;AACA', names: [], sources: ['source'] } }
          })
        },
        async fetchModule (id) {
          if (id === 'vitest') return { externalize: id, type: 'module' }
          const file = id.startsWith(root) ? id : path.join(root, id)
          const source = readFileSync(file, 'utf8')
          const code = '\\n' + source
            .replaceAll(/import (\\{.*\\}) from '(.*)'/g, (_, names, from) => 'const ' + names + ' = await __vite_ssr_import__(' + JSON.stringify(from.replace('@', '')) + ')')
            .replaceAll(/import\\('@(.*?)'\\)/g, '__vite_ssr_dynamic_import__("$1")')
            .replaceAll(/export const (\\w+) = (.*)/g, 'const $1 = $2; Object.defineProperty(__vite_ssr_exports__, "$1", { enumerable: true, get () { return $1 } })')
          return { code, file, id: file, url: file.slice(root.length), invalidate: false }
        }
      }
    },
    async close () {}
  }
}
`
/** Stands for its runner, which knows nothing of the server. */
const RUNNER = `export class ModuleRunner {
  #known = new Map()
  constructor ({ transport }, evaluator) { Object.assign(this, { transport, evaluator }) }
  async import (id, importer) {
    const { result, error } = await this.transport.invoke({ data: { name: 'fetchModule', data: [id, importer, { cached: this.#known.has(id) }] } })
    if (error) throw error
    if (result.cache) return this.#known.get(id)
    if (result.externalize) return this.evaluator.runExternalModule(result.externalize)
    const exports = {}
    this.#known.set(id, exports)
    const request = dep => this.import(dep, result.file)
    await this.evaluator.runInlinedModule({ __vite_ssr_exports__: exports, __vite_ssr_import__: request, __vite_ssr_dynamic_import__: request }, result.code, result)
    return exports
  }
}
`
/** @param {import('node:test').TestContext} t */
function viteProject (t) {
  const project = projectFolder(t)
  project.write({
    'vitest.config.mjs': "export default { test: { env: { SEEN: 'config' } } }\n",
    'node_modules/vite/package.json':
      '{ "name": "vite", "exports": { ".": "./index.mjs", "./module-runner": "./runner.mjs" } }',
    'node_modules/vite/index.mjs': VITE,
    'node_modules/vite/runner.mjs': RUNNER,
    'src/work.mjs': 'export const work = n => { let sum = 0; for (let i = 0; i < n; i++) sum += i; return sum }\n',
    'src/late.mjs': "export const late = 'late'\n"
  })
  const starts = fileURLToPath(project.hrefOf('starts'))
  const countStarts = () => (existsSync(starts) ? readFileSync(starts, 'utf8').split('\n').length - 1 : 0)
  return { ...project, countStarts }
}

const BENCH = `import { bench } from 'vitest'
import { work } from '@/src/work.mjs'
`
const NAMED = 'bench([process.env.SEEN, process.env.SET_BY_VITE].join(), () => work(100))\n'

/** @type {(scenarioUrl: string, task: string) => any} */
const jobOf = (scenarioUrl, task) => ({
  queueUrl: '', isCode: true, scenarioUrl, of: { group: '', task }, kept: keptFolder(), params: {}, seed: 1
})
const RUNTIME = { name: 'own', path: process.execPath, flags: [] }

test('one process transforms the modules of all files; others load what it kept, in the same environment', async t => {
  const { write, hrefOf, countStarts } = viteProject(t)
  write({ 'a.bench.mjs': BENCH + NAMED, 'b.bench.mjs': BENCH + NAMED })
  const [a, b] = ['a', 'b'].map(name => hrefOf(`${name}.bench.mjs`))
  keepAnew()
  assert.ok(!hasTransformed())
  keepFiles([a, b])
  for (const url of [a, b, a]) {
    assert.deepEqual((await descriptionsOf(url)).map(({ tasks }) => tasks), [['config,yes']])
    assert.equal(countStarts(), 1, url)
  }
  const job = jobOf(b, 'config,yes')
  const { urls } = await modulesOf(job, RUNTIME)
  assert.ok(urls.includes(hrefOf('src/work.mjs')), urls.join('\n'))
  assert.ok((await take('count', job)).metrics.workPerOp > 100)
  await measure(b, job.of, { kept: job.kept })
  assert.deepEqual([countStarts(), hasTransformed()], [1, true])
  keepAnew()
  await descriptionsOf(a)
  assert.equal(countStarts(), 2, 'a new plan keeps nothing of an older one')
})

test('a process that starts Vite, and its transformer, starts nothing that a gate could not see', async t => {
  const { write, hrefOf, countStarts } = viteProject(t)
  write({ 'a.bench.mjs': BENCH + "bench('a', () => work(1))\n" })
  keepAnew()
  const job = jobOf(hrefOf('a.bench.mjs'), 'a')
  const folder = fileURLToPath(hrefOf('.'))
  const touch = { folder, other: `${folder}-other`, runMs: 0 }
  const { executed } = await modulesOf({ ...job, jobs: [job], touch }, RUNTIME)
  assert.deepEqual([countStarts(), executed?.isUnseen], [1, false])
})

test('a module that is imported in a call is transformed when it is met, and kept', async t => {
  const { write, hrefOf, countStarts } = viteProject(t)
  write({ 'a.bench.mjs': `${BENCH}bench('lazy', async () => (await import('@/src/late.mjs')).late)\n` })
  keepAnew()
  const job = jobOf(hrefOf('a.bench.mjs'), 'lazy')
  const { urls, taskFault } = await modulesOf(job, RUNTIME)
  assert.equal(taskFault, undefined)
  assert.ok(urls.includes(hrefOf('src/late.mjs')))
  const before = countStarts()
  await measure(job.scenarioUrl, job.of, { kept: job.kept })
  assert.equal(countStarts(), before)
})

test('what a configuration asks for and gets not is told; a file of another environment is refused', async t => {
  const { write, hrefOf } = viteProject(t)
  write({
    'vitest.config.mjs': `export default {
  test: { globalSetup: './start.mjs', projects: [{}], experimental: { viteModuleRunner: false }, execArgv: ['--import', 'x'] }
}
`,
    'a.bench.mjs': `${BENCH}bench('a', () => work(1))\n`,
    'b.bench.mjs': "// @vitest-environment happy-dom\nimport { bench } from 'vitest'\n"
  })
  const { notes = [] } = await describedOrNot(hrefOf('a.bench.mjs'))
  const told = ['globalSetup of vitest is not run', 'projects .* are not read', 'says viteModuleRunner: false']
  for (const [i, note] of told.entries()) assert.match(notes[i], new RegExp(`vitest\\.config\\.mjs:? ${note}`))
  await assert.rejects(descriptionsOf(hrefOf('b.bench.mjs')), /b\.bench\.mjs needs vitest's environment happy-dom: not/)
})

test("without Vite's runner, vitest imports files as Node does, after what its flags of Node import", async t => {
  const { write, tasksIn, countStarts } = viteProject(t)
  write({
    'vitest.config.mjs': `import { fileURLToPath } from 'node:url'
const before = fileURLToPath(new URL('before.mjs', import.meta.url))
export default {
  test: { experimental: { viteModuleRunner: false }, execArgv: ['--import', before], alias: { vite: 'other' } }
}
`,
    'before.mjs': "globalThis.before = 'before'\n",
    'a.bench.mjs': "import { bench } from 'vitest'\nbench(before, () => 1)\n"
  })
  assert.deepEqual([await tasksIn('a.bench.mjs'), countStarts()], [[['before']], 0])
})

test("what a base's own file was transformed to is forgotten once the base has the head's file", async t => {
  const file = 'bench/a.bench.mjs'
  const sideOf = (/** @type {string} */ task) => {
    const { write, hrefOf } = viteProject(t)
    write({ [file]: `${BENCH}bench('${task}', () => work(1))\n` })
    const folder = fileURLToPath(hrefOf('.'))
    return { folder, cwd: folder, url: hrefOf(file) }
  }
  const [base, head, control] = ['old', 'new', 'old'].map(sideOf)
  keepAnew()
  const plan = { sides: { base, head, control }, queues: [], runtimes: [RUNTIME], of: { gate: { baseRef: 'main' } } }
  const scenarios = [{ name: 'a', kind: 'code', subject: 'task', file }]
  const { lost } = await giveHeadsFiles(/** @type {any} */ ({ ...plan, scenarios }), [file], {})
  assert.deepEqual(lost.map(({ queue }) => queue), ['old'])
  assert.deepEqual((await descriptionsOf(base.url)).map(({ tasks }) => tasks), [['new']])
})

test('an error in a transformed module is told with its place in the file as it was written', async t => {
  const { write, hrefOf } = viteProject(t)
  write({ 'a.bench.mjs': `${BENCH}\nnowhere()\n`, 'b.bench.mjs': `${BENCH}bench('a', () => 1)\nnowhere()\n` })
  keepAnew()
  for (let times = 0; times < 2; times++) {
    await assert.rejects(descriptionsOf(hrefOf('a.bench.mjs')), /a\.bench\.mjs:4:1: cannot be loaded: nowhere is not/)
    const [{ fault }] = await descriptionsOf(hrefOf('b.bench.mjs'))
    assert.match(String(fault), /b\.bench\.mjs:4:1: nowhere is not defined$/)
  }
})
