/** From words to an exit code: help, crashes and refusals of the system. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { commands } from '../../bin/commands/index.js'
import { main } from '../../bin/main.js'
import { optionsOf } from '../../bin/request/options.js'
import { capture, pick, timerqHere } from './timerq.js'

/**
 * The message if printing throws an error.
 *
 * @param {unknown} error
 * @param {string[]} args
 */
async function failWith (error, ...args) {
  const stderr = capture()
  const broken = /** @type {any} */ ({
    write () {
      throw error
    }
  })
  assert.equal(await main(['list', ...args], { stdout: broken, stderr: stderr.stream }), 4)
  return stderr.text()
}

test('a bug in timerq is one line that asks for a report, its stack is for --verbose, and its exit code is no ' +
  'regression', async () => {
  const bug = new TypeError('undefined is not a function')
  assert.equal(
    await failWith(bug),
    'timerq: this is a bug in timerq, please report it: undefined is not a function (--verbose shows where)\n'
  )
  assert.match(
    await failWith(bug, '--verbose'),
    /^timerq: this is a bug in timerq, please report it: TypeError: undefined is not a function\n +at /
  )
  assert.match(await failWith('odd'), /report it: odd \(/)
})

for (const args of [[], ['--help'], ['help'], ['--no-color']]) {
  test(`timerq ${args.join(' ')} shows where to begin and every command, in 80 columns`, async () => {
    const { code, stdout } = await timerqHere(args)
    assert.equal(code, 0)
    for (const { name, describe } of commands) {
      assert.match(stdout, new RegExp(`^  ${name} +${describe.replaceAll(/[?.]/g, '\\$&')}$`, 'm'))
    }
    assert.match(stdout, /^Begin with:\n {2}npx timerq gate /m)
    assert.deepEqual(
      stdout.split('\n').filter(line => line.length > 80),
      []
    )
  })
}

for (const command of commands) {
  const { name, guide } = command
  const usual = pick(optionsOf(command).filter(({ isUsual }) => isUsual), 'name')
  test(`timerq ${name} --help names its guide and, on a first screen, the options that people use`, async () => {
    const { code, stdout } = await timerqHere(`${name} --json=maybe --help`)
    assert.equal(code, 0)
    assert.equal((await timerqHere(`help ${name}`)).stdout, stdout)
    if (guide) {
      assert.ok(
        stdout.endsWith(`Guide: docs/${guide}.md\n`) && existsSync(new URL(`../../docs/${guide}.md`, import.meta.url))
      )
    }
    if (usual.length === 0) return
    const shown = [...stdout.matchAll(/^ {2}--([a-z-]+) /gm)].map(([, option]) => option)
    assert.deepEqual(shown.sort(), usual.toSorted())
    assert.ok(stdout.split('\n').length <= 25, stdout)
    assert.match(stdout, new RegExp(`^All options: timerq ${name} --help --all   `, 'm'))
  })
}

for (const [line, expected] of /** @type {[string, string[]][]} */ ([
  ['gat', commands.map(({ name }) => name)],
  ['run kee', ['keep-alive']],
  ['run --queue laz', ['lazy-wheel']],
  ['gate --scenario sta', ['staggered-expiry', 'start-cancel']],
  ['gate --measure ', ['touched', 'all']],
  ['reproduce --preset ', ['quick', 'documented']]
])) {
  test(`timerq ${line}⇥ completes ${expected.slice(0, 2)}`, async () => {
    const { stdout } = await timerqHere(['--get-yargs-completions', 'timerq', ...line.split(' ')])
    assert.deepEqual(stdout.trim().split('\n').map(text => text.split(/[\t:]/)[0]), expected)
  })
}

test('timerq completion prints a script for the shell', async () => {
  const { stdout } = await timerqHere('completion')
  assert.match(stdout, /^(###-begin-|#compdef )timerq[^]*timerq --get-yargs-completions/)
})

test('what the system refuses is one line with exit code 4, and no bug', async () => {
  for (const code of ['ENOSPC', 'ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP']) {
    const refused = Object.assign(new Error(`${code}: refused, write`), { code })
    assert.equal(await failWith(refused), `timerq: ${code}: refused, write\n`)
    assert.match(await failWith(refused, '--verbose'), /^timerq: Error: .*\n +at /)
  }
})

test('a package that is not installed is no bug: the line says what to run', async () => {
  const missing = Object.assign(new Error("Cannot find package 'yargs' imported from /timerq/bin/request/request.js"), {
    code: 'ERR_MODULE_NOT_FOUND'
  })
  assert.equal(
    await failWith(missing),
    'timerq: the package yargs is not installed: run "npm ci" in the folder of timerq first\n'
  )
})
