/** Folders that are made, folders that cannot be, and names that two runs of one second do not share. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { makeFolder, move } from '../../../harness/store/folders.js'
import { skipUnless } from '../../needs.js'
import { temporaryFolder } from '../temporary-folder.js'

const MODULE = new URL('../../../harness/store/folders.js', import.meta.url).href
/** A process that hangs here takes no other signal. */
const HANGS = { timeout: 60_000, killSignal: /** @type {const} */ ('SIGKILL') }

/**
 * @param {string} cwd
 * @param {string} code  Code that claims.
 * @returns {Promise<string>} its output
 */
async function run (cwd, code) {
  const child = spawn(
    process.execPath,
    ['--input-type=module', '--eval', `import { claimDirectory } from '${MODULE}'\n${code}`],
    { cwd, stdio: ['ignore', 'pipe', 'inherit'] }
  )
  let text = ''
  child.stdout.setEncoding('utf8').on('data', part => {
    text += part
  })
  await once(child, 'close')
  return text
}

/** @param {number} seconds */
const claim = seconds => `claimDirectory('gate', new Date(Date.UTC(2026, 0, 1, 0, 0, ${seconds})))`

test('claims of one second, of two processes and within one, have different names, and git ignores them', async t => {
  const cwd = temporaryFolder(t)
  const twice = `
    import { writeFileSync } from 'node:fs'
    for (let i = 0; i < 50; i++) {
      const directory = ${claim(1)}
      writeFileSync(directory + '/run.json', '')
      console.log(directory)
    }`
  const texts = await Promise.all([run(cwd, twice), run(cwd, twice)])
  const names = texts.join('').trim().split('\n')
  assert.equal(new Set(names).size, 100)
  assert.ok(names.includes(path.join('results', 'gate-2026-01-01T00-00-01')))
  assert.ok(names.includes(path.join('results', 'gate-2026-01-01T00-00-01-100')))
  assert.equal(readdirSync(path.join(cwd, 'results')).length, 101)
  assert.equal(readFileSync(path.join(cwd, 'results/.gitignore'), 'utf8'), '*\n')
})

test('a claim that nothing was written to goes with its process, as does a folder that was made for it', async t => {
  const cwd = temporaryFolder(t)
  await run(cwd, claim(1))
  assert.ok(!existsSync(path.join(cwd, 'results')))
  mkdirSync(path.join(cwd, 'results'))
  await run(cwd, claim(1))
  assert.deepEqual(readdirSync(path.join(cwd, 'results')), [])
})

test('a folder is made with all that it lies in; one that is there stays, also behind a link', t => {
  const root = temporaryFolder(t)
  const deep = path.join(root, 'a/b/c/')
  makeFolder(deep)
  assert.ok(statSync(deep).isDirectory())
  writeFileSync(path.join(deep, 'kept'), '')
  symlinkSync(deep, path.join(root, 'link'))
  for (const folder of [deep, path.join(root, 'link'), '/', '.']) makeFolder(folder)
  assert.ok(existsSync(path.join(deep, 'kept')))
})

test('a folder below a file, in place of one, or behind a link that leads nowhere is refused', t => {
  const root = temporaryFolder(t)
  writeFileSync(path.join(root, 'file'), '')
  symlinkSync(path.join(root, 'nowhere'), path.join(root, 'link'))
  assert.throws(() => makeFolder(path.join(root, 'file')), { code: 'EEXIST' })
  assert.throws(() => makeFolder(path.join(root, 'file/a/b')), { code: 'ENOTDIR', syscall: 'mkdir' })
  assert.throws(() => makeFolder(path.join(root, 'link')), { code: 'EEXIST' })
  mkdirSync(path.join(root, 'a'))
  makeFolder(path.join(root, 'a/../b'))
  assert.ok(existsSync(path.join(root, 'b')))
})

test(
  'where the system makes no folders the attempt ends',
  { skip: skipUnless(process.platform === 'linux', 'needs Linux') },
  () => {
    const attempt = `
      import { makeFolder } from ${JSON.stringify(MODULE)}
      try {
        makeFolder('/proc/timerq/deep')
      } catch ({ code }) {
        console.log(code)
      }`
    const { signal, stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', attempt], {
      ...HANGS,
      encoding: 'utf8'
    })
    assert.deepEqual([signal, stdout], [null, 'ENOENT\n'])
  }
)

test('a file that another process has open for a moment is renamed a little later, and else named', () => {
  const busy = Object.assign(new Error("EBUSY: resource busy or locked, rename 'a' -> 'b'"), { code: 'EBUSY' })
  const failing = (/** @type {number} */ times) => {
    let tries = 0
    return () => {
      if (++tries <= times) throw busy
    }
  }
  assert.equal(move('a', 'b', failing(2)), undefined)
  assert.throws(() => move('a', 'b', failing(Infinity)), busy)
  assert.throws(() => move('no-such-file', 'b'), { code: 'ENOENT' })
})
