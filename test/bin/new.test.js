/** `timerq new` overwrites nothing. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { checkBriefly } from '../../harness/conformance/index.js'
import { descriptionsOf } from '../harness/descriptions.js'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { timerqHere } from './timerq.js'

const PACKAGE = fileURLToPath(new URL('../..', import.meta.url))

for (const [type, ending] of [
  ['commonjs', '.mjs'],
  ['module', '.js'],
  [undefined, '.js']
]) {
  test(`in a package of type ${type} a new queue loads and is checked by the same test`, async t => {
    const project = temporaryFolder(t)
    // As npm init writes it, with timerq installed.
    writeFileSync(
      path.join(project, 'package.json'),
      JSON.stringify({ name: 'project', version: '1.0.0', main: 'index.js', type }, null, 2)
    )
    mkdirSync(path.join(project, 'node_modules'))
    symlinkSync(PACKAGE, path.join(project, 'node_modules', 'timerq'))
    const cwd = path.join(project, 'src')
    mkdirSync(cwd)

    const { stdout, stderr } = await timerqHere('new egg-timer', { cwd })
    assert.equal(
      stdout,
      `egg-timer${ending}, egg-timer.test${ending} written; next: timerq check ./egg-timer${ending}\n`
    )
    assert.equal(
      stderr,
      type === 'commonjs'
        ? 'named egg-timer.mjs, because ../package.json:5 says "type": "commonjs", and a queue is an ES module\n'
        : ''
    )
    assert.match(
      readFileSync(path.join(cwd, `egg-timer${ending}`), 'utf8'),
      new RegExp(`timerq check ./egg-timer${ending} `)
    )

    const { EggTimer } = await import(path.join(cwd, `egg-timer${ending}`))
    assert.equal(new EggTimer().size, 0)
    if (type === 'commonjs') assert.deepEqual(await checkBriefly(pathToFileURL(path.join(cwd, 'egg-timer.mjs'))), [])
    // The test before this one runs it.
    const ownTest = readFileSync(new URL('../../bin/templates/my-queue.test.js', import.meta.url), 'utf8')
    assert.equal(
      readFileSync(path.join(cwd, `egg-timer.test${ending}`), 'utf8'),
      ownTest.replaceAll('my-queue.js', `egg-timer${ending}`).replaceAll('MyQueue', 'EggTimer')
    )
  })
}

test('nothing is overwritten', async t => {
  for (const mine of ['egg-timer.js', 'egg-timer.test.js']) {
    const cwd = temporaryFolder(t)
    writeFileSync(path.join(cwd, mine), 'mine')
    const { code, stderr } = await timerqHere('new egg-timer', { cwd })
    assert.equal(code, 2)
    assert.equal(stderr, `timerq: ${mine} exists already and is left as it is (choose another name)\n`)
    assert.deepEqual(readdirSync(cwd), [mine])
    assert.equal(readFileSync(path.join(cwd, mine), 'utf8'), 'mine')
  }
})

test('a queue in a .js file of a commonjs package names the cause and the remedy', async t => {
  const cwd = temporaryFolder(t)
  writeFileSync(path.join(cwd, 'package.json'), '{\n  "name": "project",\n  "type": "commonjs"\n}\n')
  writeFileSync(path.join(cwd, 'mine.js'), readFileSync(new URL('../../bin/templates/my-queue.js', import.meta.url)))
  const { code, stderr } = await timerqHere('check ./mine.js', { cwd })
  assert.equal(code, 2)
  assert.match(
    stderr,
    /^timerq: .*mine\.js: cannot be loaded: Unexpected token 'export'; .*package\.json:3 says "type": "commonjs", .* \(rename it to mine\.mjs, or write "type": "module"\)\n$/
  )
})

for (const [kind, files] of /** @type {const} */ ([
  ['scenario', 'tea-time.mjs'],
  ['server', 'tea-time.mjs, tea-time.test.mjs']
])) {
  test(`a new ${kind} loads, is described, and passes the test that comes with it`, async t => {
    const cwd = temporaryFolder(t)
    writeFileSync(path.join(cwd, 'package.json'), '{ "type": "commonjs" }')
    const { code, stdout, stderr } = await timerqHere(['new', `--${kind}`, 'tea-time'], { cwd })
    assert.deepEqual([code, stdout], [0, `${files} written; next: timerq run --scenario ./tea-time.mjs\n`])
    assert.equal(
      stderr,
      `named tea-time.mjs, because package.json:1 says "type": "commonjs", and a ${kind} is an ES module\n`
    )
    const [{ name, kind: described, tasks }] = await descriptionsOf(pathToFileURL(path.join(cwd, 'tea-time.mjs')).href)
    assert.deepEqual(
      [name, described, tasks],
      kind === 'server' ? ['tea-time', 'http', undefined] : ['tea-time-sums', 'code', ['split', 'pattern']]
    )
    const { NODE_TEST_CONTEXT, ...env } = process.env
    if (files.includes('test')) execFileSync(process.execPath, ['--test', 'tea-time.test.mjs'], { cwd, env })
    else {
      // With tinybench, whose time is cut short here.
      mkdirSync(path.join(cwd, 'node_modules'))
      symlinkSync(path.join(PACKAGE, 'node_modules/tinybench'), path.join(cwd, 'node_modules/tinybench'))
      const file = path.join(cwd, 'tea-time.mjs')
      writeFileSync(file, readFileSync(file, 'utf8').replace("'sums'", "'sums', time: 1, warmup: false"))
      assert.match(execFileSync(process.execPath, ['tea-time.mjs'], { cwd, encoding: 'utf8' }), /split[^]*pattern/)
    }
  })
}
