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
    for (const { command, describe } of commands) assert.match(stdout, new RegExp(`^  ${command.split(' ')[0]} +${describe.replaceAll(/[?.]/g, '\\$&')}$`, 'm'))
    assert.match(stdout, /^Begin with:\n {2}timerq run /m)
    assert.deepEqual(stdout.split('\n').filter(line => line.length > 80), [])
  })
}

for (const [args, message] of /** @type {[string[], string][]} */ ([
  [['rnu'], 'unknown command "rnu", did you mean run? (timerq lists all)'],
  [['foo', '--help'], 'unknown command "foo" (timerq lists all)'],
  [['--help', 'rnu'], 'unknown command "rnu", did you mean run? (timerq lists all)'],
  [['completion', 'bsh'], 'completion needs bash, zsh or fish, got "bsh", did you mean bash or zsh?'],
  [['history'], 'history needs two or more results directories (try timerq history results/*)'],
  [['merge', '--out', 'x'], 'merge needs the results directories of two or more shards (try timerq merge results/shard-1 results/shard-2 --out results/all)'],
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
  for (const code of ['ENOSPC', 'ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP']) {
    const refused = Object.assign(new Error(`${code}: refused, write`), { code })
    assert.equal(await failWith(refused), `timerq: ${code}: refused, write\n`)
    assert.match(await failWith(refused, '--verbose'), /^timerq: Error: .*\n +at /)
  }
})

test('a program behind -- is refused where it would not be run', async () => {
  const { code, stderr } = await timerq(['list', '--', '--nonsense'])
  assert.deepEqual([code, stderr], [2, 'timerq: list takes no program: leave out what is behind --\n'])
})
