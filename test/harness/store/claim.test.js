/** Default names of results directories, which two runs of one second do not share. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { temporaryFolder } from '../temporary-folder.js'

const CLAIM = new URL('../../../harness/store/claim.js', import.meta.url).href

/**
 * @param {string} cwd
 * @param {string} code  Code that claims.
 * @returns {Promise<string>} its output
 */
async function run (cwd, code) {
  const child = spawn(
    process.execPath,
    ['--input-type=module', '--eval', `import { claimDirectory } from '${CLAIM}'\n${code}`],
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
const claim = seconds => `claimDirectory('gate-', new Date(Date.UTC(2026, 0, 1, 0, 0, ${seconds})))`

test('claims of one second, of two processes and within one, have different names', async t => {
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
  assert.equal(readdirSync(path.join(cwd, 'results')).length, 100)
})

test('a claim that nothing was written to goes with its process, as does a folder that was made for it', async t => {
  const cwd = temporaryFolder(t)
  await run(cwd, claim(1))
  assert.ok(!existsSync(path.join(cwd, 'results')))
  mkdirSync(path.join(cwd, 'results'))
  await run(cwd, claim(1))
  assert.deepEqual(readdirSync(path.join(cwd, 'results')), [])
})
