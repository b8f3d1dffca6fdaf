import { test } from 'node:test'
import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { commands } from '../../bin/commands/index.js'
import { main } from '../../bin/main.js'

/** @param {string[]} written */
const into = written => new Writable({
  write (chunk, _encoding, done) {
    written.push(String(chunk))
    done()
  }
})

/**
 * What is said where printing fails.
 *
 * @param {unknown} error
 * @param {string[]} args
 */
async function failWith (error, ...args) {
  /** @type {string[]} */
  const errors = []
  const broken = /** @type {any} */ ({ write () { throw error } })
  assert.equal(await main(['list', ...args], { stdout: broken, stderr: into(errors) }), 4)
  return errors.join('')
}

test('a bug in timerq is one line that asks for a report, its stack is for --verbose, and its exit code is no regression', async () => {
  const bug = new TypeError('undefined is not a function')
  assert.equal(await failWith(bug), 'timerq: this is a bug in timerq, please report it: undefined is not a function (--verbose shows where)\n')
  assert.match(await failWith(bug, '--verbose'), /^timerq: this is a bug in timerq, please report it: TypeError: undefined is not a function\n +at /)
  assert.match(await failWith('odd'), /report it: odd \(/)
})

/** @param {string[]} args */
async function answer (...args) {
  const [stdout, stderr] = [([]), /** @type {string[]} */ ([])]
  const code = await main(args, { stdout: into(stdout), stderr: into(stderr) })
  return { code, stdout: stdout.join(''), stderr: stderr.join('') }
}

for (const args of [[], ['--help'], ['help'], ['--no-color']]) {
  test(`timerq ${args.join(' ')} shows where to begin and every command, in 80 columns`, async () => {
    const { code, stdout } = await answer(...args)
    assert.equal(code, 0)
    for (const { name, describe } of commands) assert.match(stdout, new RegExp(`^  ${name} +${describe.replaceAll(/[?.]/g, '\\$&')}$`, 'm'))
    assert.match(stdout, /^Begin with:\n {2}timerq run /m)
    assert.deepEqual(stdout.split('\n').filter(line => line.length > 80), [])
  })
}

test('what the system refuses is one line with exit code 4, and no bug', async () => {
  for (const code of ['ENOSPC', 'ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP']) {
    const refused = Object.assign(new Error(`${code}: refused, write`), { code })
    assert.equal(await failWith(refused), `timerq: ${code}: refused, write\n`)
    assert.match(await failWith(refused, '--verbose'), /^timerq: Error: .*\n +at /)
  }
})
