/**
 * Gates in repositories as people have them: packages that change, links out of the repository, builds that git
 * ignores.
 */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createRepository } from '../harness/gate/repository.js'
import { timerq, words } from './timerq.js'

const PARSE = 'export function parse (text) { return JSON.parse(text) }\n'
/** One heat shows as much. */
const SLOWER =
  'export function parse (text) { for (let i = 0; i < 20; i++) JSON.parse(text); return JSON.parse(text) }\n'
const benchmark = (/** @type {string} */ source, name = 'parse') => `import { parse } from '${source}'
export const scenario = {
  name: '${name}', kind: 'code', parameters: {}, presets: { quick: {} },
  createWorkload (_, random) {
    const inputs = Array.from({ length: 300 }, () => \`{"id": \${random(1000)}, "name": "x"}\`)
    const outcome = { checksum: 0 }
    return { outcome, phases: [{ metric: 'nsPerOp', operations: 300, run () {
      let sum = 0
      for (const input of inputs) sum += parse(input).id
      outcome.checksum = sum
    } }] }
  }
}
`
const ONE_ROUND = words`--rounds 1 --budget 30s`

/**
 * @param {import('node:test').TestContext} t
 * @param {string} source  Module that is measured.
 */
function app (t, source) {
  const made = createRepository(t)
  made.write('package.json', { name: 'app', type: 'module' })
  made.write('.gitignore', 'node_modules\nresults\ndist\n')
  made.write('src/parse.js', PARSE)
  made.write('bench/parse.js', benchmark(source))
  const gate = async (/** @type {string[]} */ ...args) => {
    const ended = await timerq(words`gate --base HEAD --scenario ./bench/parse.js ${args}`, { cwd: made.root })
    return Object.assign(ended, { first: ended.stdout.split('\n\n')[0].replace(/\s+/g, ' ') })
  }
  return { ...made, gate }
}

test('packages that a lock file or a patch asks for are a change that both sides share, unless --install makes ' +
  'them in each side', async t => {
  const { root, write, commit, gate } = app(t, 'dep')
  const dep = (/** @type {string} */ file) => `mkdir -p node_modules/dep && cp ${file} node_modules/dep/index.js`
  write('node_modules/dep/index.js', PARSE)
  write('patches/dep.patch', PARSE)
  commit()
  write('patches/dep.patch', SLOWER)
  const shared = await gate(...ONE_ROUND, '--comment', 'c.md', '--junit', 'j.xml')
  assert.equal(shared.code, 3, shared.stdout)
  const reason = 'base and head ask for other packages (patches/dep.patch), and both ran those that are installed now'
  assert.ok(shared.first.startsWith(`inconclusive: ${reason} (give each side its own: --install "npm ci");`), shared.first)
  assert.match(readFileSync(path.join(root, 'c.md'), 'utf8'), /base and head ask for other packages/i)
  assert.match(readFileSync(path.join(root, 'j.xml'), 'utf8'), /<skipped message="base and head ask for other packages/)
  const { json } = await gate(...ONE_ROUND, '--json', '--install', dep('patches/dep.patch'))
  const { comparisons: [{ ratio }], warnings } = json
  assert.ok(ratio > 5, `${ratio}`)
  assert.match(warnings[0], /^base and head ask .* \(patches\/dep\.patch\): each side had its own, by mkdir/)
  assert.equal(readFileSync(path.join(root, 'node_modules/dep/index.js'), 'utf8'), PARSE)
  const failed = await gate(...ONE_ROUND, '--install', 'echo no registry >&2; exit 1')
  assert.equal(failed.code, 4)
  assert.match(failed.stderr, /^timerq: base: --install "echo no .*" failed: no registry$/m)
})

test('a linked package outside of the repository that has changed cannot pass, and is named first', async t => {
  const { root, write, commit, gate } = app(t, 'lib')
  const lib = createRepository(t, path.join(path.dirname(root), 'lib'))
  lib.write('package.json', { name: 'lib', type: 'module', main: 'index.js' })
  mkdirSync(path.join(root, 'node_modules'))
  symlinkSync('../../lib', path.join(root, 'node_modules/lib'))
  commit()
  lib.write('index.js', SLOWER)
  write('README.md', 'A change of the head.')
  const { first, stderr } = await gate(...ONE_ROUND)
  assert.match(
    first,
    /^inconclusive: both sides ran \.\.\/lib, outside of the repository, which may have changed since HEAD;/,
    stderr
  )
})

test('a build that git ignores is named with the way out, and --prepare makes it on each side', async t => {
  const { root, write, commit, gate } = app(t, '../dist/parse.js')
  write('package.json', { name: 'app', type: 'module', scripts: { build: 'mkdir -p dist && cp src/parse.js dist' } })
  commit()
  write('dist/parse.js', PARSE)
  write('src/parse.js', SLOWER)
  const lacking = await gate(...ONE_ROUND, '--junit', 'j.xml')
  assert.equal(lacking.code, 4)
  assert.match(
    lacking.first,
    /base: it lacks dist\/parse\.js, which git ignores: make it in each side, for example by --prepare "npm run build"/
  )
  assert.ok(existsSync(path.join(root, 'j.xml')))
  const { stderr, json } = await gate(...ONE_ROUND, '--prepare', 'npm run build', '--json')
  const { comparisons: [{ pairs, reason }] } = json
  assert.deepEqual([pairs, reason?.includes('lacks') ?? false], [1, false], stderr)
  const broken = await gate(...ONE_ROUND, '--prepare', 'echo no such tool >&2; exit 1')
  assert.deepEqual(
    [broken.code, broken.stderr.split('\n').at(-2)],
    [4, 'timerq: base: --prepare "echo no such tool >&2; exit 1" failed: no such tool']
  )
})

test('a program whose build git ignores is started after --prepare', async t => {
  const { root, write, commit } = app(t, '../src/parse.js')
  write(
    'src/server.js',
    "import http from 'node:http'\nhttp.createServer((_, response) => " +
      "response.end('x')).listen(process.env.PORT ?? 0)\n"
  )
  write('start.js', "import './dist/server.js'\n")
  commit()
  write('src/parse.js', SLOWER)
  const gate = (/** @type {string[]} */ ...args) =>
    timerq(
      words`gate --base HEAD ${ONE_ROUND} --connections 5 ${args} -- ${process.execPath} start.js`,
      { cwd: root }
    )
  mkdirSync(path.join(root, 'dist'))
  writeFileSync(path.join(root, 'dist/server.js'), '')
  assert.match((await gate()).stderr, /timerq: base: it lacks dist\/server\.js, which git ignores: .*--prepare/)
  const { stderr } = await gate('--prepare', 'mkdir -p dist && cp src/server.js dist')
  assert.doesNotMatch(stderr, /lacks/)
})
