/** Fresh processes: their replies, their limits and their ends. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { askOnce, Child, loadingAtOnce } from '../../../harness/processes/child.js'
import { withinCpuTime } from '../../../harness/processes/limits.js'
import { cpuMsOf } from '../../../harness/processes/proc-stat.js'
import { loadQueue } from '../../../harness/subject/modules/load.js'
import { skipUnless } from '../../needs.js'
import { runtime } from '../measure/entrants.js'
import { temporaryFolder, temporaryModule } from '../temporary-folder.js'

const skip = skipUnless(cpuMsOf(process.pid) !== null, 'needs /proc, to read the CPU time of a process (Linux has it)')

/**
 * @param {import('node:test').TestContext} t
 * @param {string} source  Of the module that the child runs.
 * @param {{folder?: string, signal?: AbortSignal}} [options]
 */
function start (t, source, { folder = '', signal } = {}) {
  const place = path.join(temporaryFolder(t), folder)
  mkdirSync(place, { recursive: true })
  const entry = path.join(place, 'entry.mjs')
  writeFileSync(entry, source)
  const child = new Child(pathToFileURL(entry), { runtime, signal })
  t.after(() => child.end())
  return child
}

/** @type {(child: Child, type?: string, options?: object) => Promise<any>} */
const ask = (child, type = 'any', options) => child.ask({ type, ...options }, 10_000)

const ANSWER = `import { answer } from '${new URL('../../../harness/processes/answer.js', import.meta.url).href}'\n`
const ECHO = `${ANSWER}answer({ echo: message => ({ type: 'echo', ...message }) })`
const ENDLESS = `${ANSWER}answer({ start: () => ({}), work: () => { for (;;); } })`
const SLEEPY = `${ANSWER}answer({ sleep: ({ ms = 1e9 }) => new Promise(resolve => setTimeout(() => resolve({}), ms)) })`

const OUT_OF_ORDER = `${ANSWER}let first
answer({
  first: () => new Promise(resolve => { first = resolve }),
  second: () => { setImmediate(first, { is: 'first' }); return { is: 'second' } }
})`
/** @param {string} message  Source of a message that the measured code writes to timerq's pipe. */
const forge = message => `writeSync(3, serialize(${message}).toString('base64') + '\\n')`
const FORGING = `${ANSWER}import { writeSync } from 'node:fs'\nimport { serialize } from 'node:v8'\n`
const FORGED = { kind: 'wrong', message: "the queue wrote to the harness's own channel, so its results are discarded" }

test('replies belong to their requests, whatever their order', async t => {
  const child = start(t, OUT_OF_ORDER)
  const replies = ['first', 'second'].map(type => ask(child, type))
  assert.deepEqual(await Promise.all(replies), [{ is: 'first' }, { is: 'second' }])
})

for (const message of ['null', "'text'", '{ cpuMs: 0.001 }', '{ id: 2, value: {} }']) {
  test(`${message} that a queue sends is no reply, and no later one counts`, async t => {
    const child = start(t, `${FORGING}answer({ any: () => { ${forge(message)}; return new Promise(() => {}) } })`)
    await assert.rejects(ask(child), FORGED)
    await assert.rejects(ask(child), FORGED)
  })
}

test('a second reply to a request spoils what follows', async t => {
  const child = start(
    t,
    `${FORGING}answer({ any () {
      setTimeout(() => ${forge("{ id: 1, value: { is: 'forged' } }")}, 50)
      return { is: 'real' }
    }, later: () => new Promise(() => {}) })`
  )
  assert.deepEqual(await ask(child), { is: 'real' })
  await assert.rejects(ask(child, 'later'), FORGED)
})

test('what is no message at all spoils what follows, too', async t => {
  const child = start(t, `${FORGING}answer({ any: () => { writeSync(3, 'ready\\n'); return new Promise(() => {}) } })`)
  await assert.rejects(ask(child), FORGED)
})

test('code under test finds no channel, as when Node starts a file', async t => {
  const seen = '[process.send, process.connected, process.channel, process.disconnect, process.env.NODE_CHANNEL_FD]'
  const child = start(
    t,
    `${ANSWER}process.send?.('ready')
    process.on('disconnect', () => process.exit(1)).on('message', () => process.exit(1))
    answer({ any: () => ({ seen: ${seen}.map(String) }) })`
  )
  assert.deepEqual(await ask(child), { seen: Array(5).fill('undefined') })
})

test('messages keep what JSON loses, in a folder of any name', async t => {
  const child = start(t, ECHO, { folder: 'a b ü %' })
  const message = { far: Infinity, none: undefined, map: new Map([[1, NaN]]), times: Float64Array.of(0.1), text: 'ü\n' }
  assert.deepEqual(await ask(child, 'echo', message), { type: 'echo', ...message })
})

test('an answer that is no object, and an error of a handler, are errors of that request', async t => {
  const errors = new URL('../../../harness/model/errors.js', import.meta.url).href
  const child = start(
    t,
    `${ANSWER}import { SampleError } from '${errors}'
    answer({
      nothing: () => null,
      number: () => 5,
      broken: () => { throw new Error('insert is broken') },
      early: () => { throw new SampleError('wrong', 'it fired early') }
    })`
  )
  for (const [type, error] of Object.entries({
    nothing: { kind: 'wrong', message: 'its process sent an invalid reply: null' },
    number: { kind: 'wrong', message: 'its process sent an invalid reply: 5' },
    broken: { kind: 'crash', message: /^insert is broken \(at \/.*:\d+:\d+\)$/ },
    early: { kind: 'wrong', message: 'it fired early' }
  })) {
    await assert.rejects(ask(child, type), error)
  }
})

test('a reply of another shape is refused', async t => {
  const child = start(t, ECHO)
  const shape = { type: (/** @type {unknown} */ value) => value === 'other' }
  await assert.rejects(child.ask({ type: 'echo' }, 10_000, shape), {
    kind: 'wrong',
    message: 'its process sent an invalid reply: type is echo'
  })
})

test('the user\'s environment reaches a child whole', async t => {
  const before = process.env.NODE_EXTRA_CA_CERTS
  process.env.NODE_EXTRA_CA_CERTS = '/certificates.pem'
  t.after(() => {
    if (before === undefined) delete process.env.NODE_EXTRA_CA_CERTS
    else process.env.NODE_EXTRA_CA_CERTS = before
  })
  const child = start(t, `${ANSWER}answer({ look: () => ({ certificates: process.env.NODE_EXTRA_CA_CERTS }) })`)
  assert.deepEqual(await ask(child, 'look'), { certificates: '/certificates.pem' })
})

test('a child that only waits may take longer than its limit of CPU time', async t => {
  const child = start(t, SLEEPY)
  await ask(child, 'sleep', { ms: 0 })
  const begun = performance.now()
  assert.deepEqual(await child.ask({ type: 'sleep', ms: 1000 }, 300), {})
  assert.ok(performance.now() - begun > 900)
})

test('a child in an endless loop ends at its limit of CPU time', { skip }, async t => {
  const child = start(t, ENDLESS)
  await ask(child, 'start')
  await assert.rejects(child.ask({ type: 'work' }, 200), {
    kind: 'time-limit',
    message: 'used 0.2 s of CPU without an answer'
  })
  assert.ok(Number(cpuMsOf(child.pid)) >= 200)
})

test('a limit counts what the child uses for this answer, not what it used before', { skip }, async t => {
  const child = start(
    t,
    `${ANSWER}answer({ work ({ ms }) {
    const usedMs = () => Object.values(process.cpuUsage()).reduce((sum, micros) => sum + micros, 0) / 1000
    for (const end = usedMs() + ms; usedMs() < end;);
    return {}
  } })`
  )
  await ask(child, 'work', { ms: 600 })
  assert.deepEqual(await child.ask({ type: 'work', ms: 10 }, 400), {})
})

test('a child that hangs without using CPU time ends at the bound of wall time', { skip }, async t => {
  const child = start(t, SLEEPY)
  await ask(child, 'sleep', { ms: 0 })
  const limits = { pid: child.pid, limitMs: 25, minWallMs: 600 }
  await assert.rejects(
    withinCpuTime(limits, () => ask(child, 'sleep')),
    { kind: 'time-limit', message: 'gave no answer within 0.6 s' }
  )
})

test('a child that dies is reported at once, with its exit code and last words', async t => {
  const child = start(
    t,
    `${ANSWER}answer({ any () { console.error('RangeError: too far\\n    at nowhere'); process.exit(7) } })`
  )
  await assert.rejects(ask(child), {
    kind: 'crash',
    message: 'the process ended with exit code 7: RangeError: too far'
  })
})

test('a server at the top of a file that finds its port taken is told what to ask for', async t => {
  const taken = net.createServer().listen(0)
  t.after(() => taken.close())
  await once(taken, 'listening')
  const { port } = /** @type {net.AddressInfo} */ (taken.address())
  const child = start(t, `${ANSWER}import net from 'node:net'
    answer({ any: () => { net.createServer().listen(${port}); return new Promise(() => {}) } })`)
  await assert.rejects(ask(child), { message: /: Error: listen EADDRINUSE: .*:\d+; .*: ask for port 0$/ })
  const module = temporaryModule(t, `import net from 'node:net'; import { once } from 'node:events'
    await once(net.createServer().listen(${port}), 'listening'); export class Mine {}`)
  await assert.rejects(loadQueue(module), { message: /EADDRINUSE: .*: ask for port 0$/ })
})

test('a process that the system kills is likely to have had too little memory', async t => {
  const child = start(t, `${ANSWER}answer({ any: () => process.kill(process.pid, 'SIGKILL') })`)
  await assert.rejects(ask(child), { message: /^the process ended with SIGKILL; if .* memory \(\d+ MB here\), measure/ })
})

for (const [set, MB] of [['--max-old-space-size=900', 900], ['--max_old_space_size=700', 700]]) {
  test(`a limit of the heap that the user has set holds: ${set}`, async t => {
    const { NODE_OPTIONS } = process.env
    process.env.NODE_OPTIONS = `${NODE_OPTIONS ?? ''} ${set}`
    t.after(() => {
      if (NODE_OPTIONS === undefined) delete process.env.NODE_OPTIONS
      else process.env.NODE_OPTIONS = NODE_OPTIONS
    })
    const limit = '({ limit: getHeapStatistics().heap_size_limit / 2 ** 20 })'
    const child = start(t, `${ANSWER}import { getHeapStatistics } from 'node:v8'\nanswer({ any: () => ${limit} })`)
    const { limit: found } = await ask(child)
    // The young generation comes on top.
    assert.ok(found >= MB && found < Number(MB) + 100, `${found}`)
  })
}

test('a runtime that is missing is reported as a crash that says so', async () => {
  const missing = { name: 'missing', path: '/no/such/node', flags: [] }
  const child = new Child(pathToFileURL('/no/such/entry.mjs'), { runtime: missing })
  await assert.rejects(ask(child), {
    kind: 'crash',
    message: 'the process could not be started: spawn /no/such/node ENOENT'
  })
  await child.end()
})

test('an abort ends the wait with its reason', async t => {
  const abort = new AbortController()
  const child = start(t, SLEEPY, { signal: abort.signal })
  const answer = ask(child, 'sleep')
  const reason = new Error('stopped')
  abort.abort(reason)
  await assert.rejects(answer, reason)
})

test('nothing is begun after an abort', async () => {
  const reason = new Error('stopped')
  const limits = { pid: process.pid, limitMs: 10_000, signal: AbortSignal.abort(reason) }
  let hasBegun = false
  const work = async () => {
    hasBegun = true
  }
  await assert.rejects(withinCpuTime(limits, work), reason)
  assert.equal(hasBegun, false)
})

test('a process that is asked once is gone when its answer is there', { skip }, async t => {
  const entry = temporaryModule(t, `${ANSWER}answer({ pid: () => ({ pid: process.pid }) })`)
  const { pid } = await askOnce(new URL(entry), { type: 'pid' }, { runtime, limitMs: 10_000 })
  assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' })
})

test('processes that load modules need memory as well as cores', () => {
  assert.deepEqual([loadingAtOnce(2, 16_000), loadingAtOnce(64, 8192), loadingAtOnce(4, 256)], [2, 16, 1])
})
