/** `timerq profile -- program`. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { timerq, timerqHere, words } from './timerq.js'

/** Some CPU time of arithmetic, and as often as asked a thousand timers started again. */
const program = `
const churns = Number(process.argv[2])
const timers = Array.from({ length: 1000 }, () => setTimeout(() => {}, 60_000))
let mixed = 0
let rounds = 300
function round () {
  for (let i = 0; i < 1e6; i++) mixed = Math.imul(mixed ^ i, 0x9e3779b1)
  for (let churn = 0; churn < churns; churn++) {
    for (const [i, timer] of timers.entries()) {
      clearTimeout(timer)
      timers[i] = setTimeout(() => {}, 60_000 + i % 50)
    }
  }
  if (--rounds > 0) return setImmediate(round)
  for (const timer of timers) clearTimeout(timer)
  process.exitCode = 7
}
round()
`

test("a program's timers have a share of its CPU, with an error, files, and the next step; its exit " +
  'code is kept', async t => {
  const cwd = temporaryFolder(t)
  writeFileSync(path.join(cwd, 'app.mjs'), program)
  const busy = await timerqHere(words`profile --out here -- ${process.execPath} app.mjs 6`, { cwd })
  assert.equal(busy.code, 7, busy.stderr)
  assert.match(busy.stderr, /^recording until the program ends \(Ctrl-C ends it; --seconds /)
  const [, share] =
    /^Timers take ([\d.]+) % of the CPU of app\.mjs \(\d+\) \([\d.]+ of [\d.]+ s\)\.$/m.exec(busy.stdout) ?? []
  assert.ok(Number(share) > 10 && Number(share) < 95, busy.stdout)
  const [, ofCore, use] =
    /That is ([\d.]+) % of a core, since the program\s+used ([\d.]+) % of one/.exec(
      busy.stdout.replaceAll(/\s+/g, ' ')
    ) ?? []
  assert.ok(Math.abs(Number(ofCore) - (Number(share) * Number(use)) / 100) < 0.02 * Number(share), busy.stdout)
  assert.match(busy.stdout, /timerq record --\s+\S+ app\.mjs 6,\s+then\s+timerq\s+recommend\./)
  assert.match(busy.stdout, /app\.mjs \(\d+\) +[\d.]+ % ± [\d.]+ % +[+-][\d.]+ pt/)
  assert.deepEqual(
    readdirSync(path.join(cwd, 'here')).map(name => name.replace(/^\d+/, 'pid')),
    ['pid.cpuprofile', 'pid.heavy.txt']
  )

  const idle = await timerqHere(words`profile --out there --json -- ${process.execPath} app.mjs 0`, { cwd })
  assert.equal(idle.code, 7, idle.stderr)
  const {
    format,
    processes: [{ timersShare, fidelity }]
  } = idle.json
  assert.equal(format, 'timerq-program-profile/1')
  assert.ok(timersShare < 0.05, String(timersShare))
  assert.ok(Math.abs(fidelity.error) < 0.05, JSON.stringify(fidelity))
})

test('a file that somebody else has left in the folder stays as it is', async t => {
  const cwd = temporaryFolder(t)
  writeFileSync(path.join(cwd, '2026.json'), '{ "cut": ')
  writeFileSync(path.join(cwd, 'app.mjs'), 'for (const end = performance.now() + 100; performance.now() < end;);')
  const { code, stderr } = await timerqHere(words`profile --out . -- ${process.execPath} app.mjs`, { cwd })
  assert.equal(code, 0, stderr)
  assert.equal(readFileSync(path.join(cwd, '2026.json'), 'utf8'), '{ "cut": ')
})

test('a program that leaves no profile is no measurement', async t => {
  const cwd = temporaryFolder(t)
  const profile = (/** @type {string[]} */ ...program) => timerqHere(['profile', '--', ...program], { cwd })
  const none = await profile('true')
  assert.equal(none.code, 4)
  assert.match(
    none.stderr,
    /^recording until [^\n]*\ntimerq: the profiler was in no process of true: it is not a [^\n]*\n$/
  )
  const killed = await profile(process.execPath, '--eval', "process.kill(process.pid, 'SIGKILL')")
  assert.equal(killed.code, 4)
  assert.match(killed.stderr, /^timerq: node \(pid \d+\) left no profile: it was killed before it could write one/m)
  const missing = await profile('./no-such-program')
  assert.equal(missing.code, 2)
  assert.match(missing.stderr, /^timerq: \.\/no-such-program cannot be started: /)
})

/**
 * @param {import('node:test').TestContext} t
 * @param {string} source  CommonJS.
 * @param {{options?: string[], start?: typeof timerq}} [how]
 */
async function profiled (t, source, { options = [], start = timerqHere } = {}) {
  const cwd = temporaryFolder(t)
  writeFileSync(path.join(cwd, 'app.cjs'), source)
  const command = words`profile --out here --json ${options} -- ${process.execPath} app.cjs`
  const { code, stderr, json } = await start(command, /** @type {any} */ ({ cwd }))
  const heavy = readdirSync(path.join(cwd, 'here')).find(name => name.endsWith('.heavy.txt')) ?? ''
  return {
    code,
    stderr,
    processes: json.processes,
    heavy: readFileSync(path.join(cwd, 'here', heavy), 'utf8')
  }
}

test('no share is above 100 % where the program waits in a child or in a lock', async t => {
  const { heavy } = await profiled(
    t,
    `const { execFileSync } = require('node:child_process')
let x = 0
for (let i = 0; i < 1e7; i++) x = Math.imul(x ^ i, 31)
setTimeout(() => {
  execFileSync(process.execPath, ['-e', 'setTimeout(() => {}, 1500)'])
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000)
}, 1)
`
  )
  const shares = [...heavy.matchAll(/^ *\d+ +([\d.]+)% /gm)].map(([, share]) => Number(share))
  assert.ok(shares.length > 0 && shares.every(share => share <= 100), heavy)
  assert.doesNotMatch(heavy, /^ *\d+ +[\d.]+% {2}spawnSync/m)
})

test('functions stand where the sources have them, if the program runs with source maps', async t => {
  const map = { version: 3, sources: ['app.ts'], names: [], mappings: 'AAUA' }
  const url = `data:application/json;base64,${Buffer.from(JSON.stringify(map)).toString('base64')}`
  const busy = `for (const end = Date.now() + 300; Date.now() < end;) Math.random()\n//# sourceMappingURL=${url}`
  const { heavy } = await profiled(
    t,
    `process.setSourceMapsEnabled(true)
require('node:fs').writeFileSync('busy.cjs', ${JSON.stringify(busy)})
require('./busy.cjs')
`
  )
  assert.match(heavy, /\(anonymous\) app\.ts:11$/m)
})

test('worker threads are named, as their work is not in the profile', async t => {
  const { processes: [{ warnings }] } = await profiled(
    t,
    `const { Worker } = require('node:worker_threads')
for (let i = 0; i < 2; i++) new Worker('for (let i = 0; i < 1e6; i++);', { eval: true })
`
  )
  assert.match(warnings.join('\n'), /it started 2 worker threads, whose work is in the CPU time and not in the profile/)
})

test("what a program prints is no part of the profile's JSON", async t => {
  const { code, stderr, processes } = await profiled(t, "console.log('printed')", { start: timerq })
  assert.deepEqual([code, processes.length, /^printed$/m.test(stderr)], [0, 1, true])
})

test('a server is profiled for as long as asked, and then ended', async t => {
  const { code, processes: [{ seconds }], stderr } = await profiled(
    t,
    "require('node:http').createServer(() => {}).listen(0, '127.0.0.1')",
    { options: ['--seconds', '1'] }
  )
  assert.equal(code, 0, stderr)
  // Timers count whole milliseconds.
  assert.ok(seconds > 0.99, `${seconds} s`)
  assert.match(stderr, /^recording for 1 s, then the program is ended/)
})
