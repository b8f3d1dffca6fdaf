/** Commands load only what they need. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { TOOLS } from '../../harness/profile/tools.js'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { pick, timerq, timerqHere, words } from './timerq.js'

const ROOT = new URL('../../', import.meta.url).href
const BIN = fileURLToPath(new URL('bin/timerq.js', ROOT))

/**
 * Lists the files and packages that a command line loads, by V8's coverage.
 *
 * @param {import('node:test').TestContext} t
 * @param {string[]} args
 */
async function loadedBy (t, args) {
  const folder = temporaryFolder(t)
  const { code } = await timerq(args, { env: { ...process.env, NODE_V8_COVERAGE: folder } })
  const scripts = readdirSync(folder).flatMap(file => JSON.parse(readFileSync(path.join(folder, file), 'utf8')).result)
  const urls = /** @type {string[]} */ (pick(scripts, 'url'))
    .filter(url => url.startsWith(ROOT))
    .map(url => url.slice(ROOT.length))
  const isPackage = (/** @type {string} */ url) => url.startsWith('node_modules/')
  return {
    code,
    files: urls.filter(url => !isPackage(url)).sort(),
    packages: [...new Set(urls.filter(isPackage).map(url => url.split('/')[1]))].sort()
  }
}

/** Rooms that no command line needs before its command runs. */
const HEAVY =
  /^(bin\/(commands\/(?!index\.js)|plans\/)|harness\/(?!model\/|processes\/open-files\.js|profile\/tools\.js)|reports\/(?!wrap\.js|formats\.js))/
/** Direct dependencies, in addition to the packages of yargs. */
const LIGHT = ['leven', 'yargs']
const { dependencies } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

for (const { args, code } of [
  { args: [], code: 0 },
  { args: ['--version'], code: 0 },
  { args: ['run', '--help'], code: 0 },
  { args: ['runn'], code: 2 },
  { args: words`run --queue binary-haep`, code: 2 }
]) {
  test(`timerq ${args.join(' ')} answers without loading a command`, async t => {
    const loaded = await loadedBy(t, args)
    assert.equal(loaded.code, code)
    assert.deepEqual(
      loaded.files.filter(file => HEAVY.test(file)),
      []
    )
    assert.deepEqual(
      loaded.packages.filter(name => name in dependencies && !LIGHT.includes(name)),
      []
    )
  })
}

test('a command loads no room of other commands', async t => {
  const { code, files } = await loadedBy(t, ['list'])
  assert.equal(code, 0)
  assert.ok(files.includes('bin/commands/list.js') && !files.includes('bin/commands/run.js'))
  assert.deepEqual(
    files.filter(file => /^harness\/(gate|profile(?!\/tools\.js)|reproduce)\//.test(file)),
    []
  )
})

test('a command that draws no picture loads no ECharts', async t => {
  const { code, packages } = await loadedBy(t, words`run --resume nowhere`)
  assert.deepEqual([code, packages.includes('ajv'), packages.includes('echarts')], [2, true, false])
})

test('the help of profile names every tool', async () => {
  const { stdout } = await timerqHere('profile --help')
  for (const name of TOOLS) assert.match(stdout, new RegExp(`[\\s,]${name}[\\s,]`))
})

test('what keeps every command from its work is said before it begins', async t => {
  const { code, stderr } = await timerq(['list'], {
    env: { ...process.env, NODE_OPTIONS: '--disallow-code-generation-from-strings' }
  })
  assert.equal(code, 2)
  assert.match(stderr, /^timerq: leave --disallow-code-generation-from-strings out of NODE_OPTIONS: [^\n]*\n$/)
  if (process.platform !== 'linux') return
  const bytes = Buffer.concat([Buffer.from(`${temporaryFolder(t)}/caf`), Buffer.of(0xe9)])
  mkdirSync(bytes)
  const { status, stderr: words } = spawnSync(
    'sh',
    ['-c', `cd "${path.dirname(bytes.toString('latin1'))}"/caf* && exec "$0" "$1" list`, process.execPath, BIN],
    { encoding: 'utf8' }
  )
  assert.equal(status, 2)
  assert.match(words, /^timerq: no file in .* can be found: rename the folder, the bytes of its name are not UTF-8$/m)
})
