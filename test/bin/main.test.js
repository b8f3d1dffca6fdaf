import { test } from 'node:test'
import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { commands } from '../../bin/commands/index.js'
import { main } from '../../bin/main.js'
import { timerq } from './timerq.js'

/** @param {string[]} written */
const into = written => new Writable({
  write (chunk, _encoding, done) {
    written.push(String(chunk))
    done()
  }
})

test('a bug in timerq is a crash with its stack, never mistaken for a regression', async () => {
  /** @type {string[]} */
  const errors = []
  const broken = /** @type {any} */ ({ write () { throw new TypeError('undefined is not a function') } })
  assert.equal(await main(['list'], { stdout: broken, stderr: into(errors) }), 4)
  assert.match(errors.join(''), /^timerq: TypeError: undefined is not a function\n +at /)
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
    for (const { command, describe } of commands) assert.match(stdout, new RegExp(`^  ${command.split(' ')[0]} +${describe.replaceAll(/[?.]/g, '\\$&')}$`, 'm'))
    assert.match(stdout, /^Begin with:\n {2}timerq run /m)
    assert.deepEqual(stdout.split('\n').filter(line => line.length > 80), [])
  })
}

for (const [args, message] of /** @type {[string[], string][]} */ ([
  [['rnu'], 'unknown command "rnu", did you mean run? (timerq lists all)'],
  [['frobnicate', 'it'], 'unknown command "frobnicate" (timerq lists all)'],
  [['--json'], 'name a command: timerq lists them'],
  [['run', '--quee', 'x'], 'unknown option --quee, did you mean --queue? (timerq run --help shows all)'],
  [['compare', 'a', '--alow-missing'], 'unknown option --alow-missing, did you mean --allow-missing? (timerq compare --help shows all)'],
  [['run', '--zzz'], 'unknown option --zzz (timerq run --help shows all)'],
  [['run', 'binary-heap'], 'unknown argument "binary-heap", did you mean --queue binary-heap? (timerq run --help shows all)'],
  [['run', 'drain-small'], 'unknown argument "drain-small", did you mean --scenario drain-small? (timerq run --help shows all)'],
  [['list', 'binary-heap'], 'unknown argument "binary-heap" (timerq list --help shows all)'],
  [['run', '--preset', 'quik'], '--preset must be quick, documented or ci, got "quik", did you mean quick?'],
  [['run', '--queue'], '--queue needs a value (timerq run --help shows all)'],
  [['check'], 'check needs <queue..> (try timerq check ./my-queue.js)'],
  [['merge', 'a', 'b'], 'merge needs --out (timerq merge --help shows all)'],
  [['check', 'lzy'], 'unknown queue "lzy", did you mean lazy-wheel? (timerq list shows all)'],
  [['check', 'frobnicate'], 'unknown queue "frobnicate" (timerq list shows all)']
])) {
  test(`timerq ${args.join(' ')}: ${message}`, async () => {
    assert.deepEqual(await answer(...args), { code: 2, stdout: '', stderr: `timerq: ${message}\n` })
  })
}

test('messages are in English, whatever the locale', async () => {
  const { stderr } = await timerq(['rnu'], { env: { ...process.env, LC_ALL: 'de_DE.UTF-8' } })
  assert.match(stderr, /^timerq: unknown command "rnu", did you mean run\?/)
})

test('a usage error is one line', async () => {
  /** @type {string[]} */
  const errors = []
  assert.equal(await main(['lits'], { stdout: into([]), stderr: into(errors) }), 2)
  assert.match(errors.join(''), /^timerq: .*\n$/)
})

test('what the system refuses is one line with exit code 4, and no bug', async () => {
  /** @type {string[]} */
  const errors = []
  const full = /** @type {any} */ ({ write () { throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }) } })
  assert.equal(await main(['list'], { stdout: full, stderr: into(errors) }), 4)
  assert.equal(errors.join(''), 'timerq: ENOSPC: no space left on device, write\n')
})

test('a program behind -- is refused where it would not be run', async () => {
  const { code, stderr } = await timerq(['list', '--', '--nonsense'])
  assert.deepEqual([code, stderr], [2, 'timerq: list takes no program: leave out what is behind --\n'])
})
