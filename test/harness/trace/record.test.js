/** Traces, and programs of which they are recorded: what is in the trace, and that the program does not notice. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { CANCEL, FIRE, readTrace, REFRESH, START, TraceWriter } from '../../../harness/store/trace-format.js'
import { timerq, timerqHere, words } from '../../bin/timerq.js'
import { skipUnless } from '../../needs.js'
import { temporaryFolder } from '../temporary-folder.js'

/** @import { Trace } from '../../../harness/store/trace-format.js' */
/** @import { TestContext } from 'node:test' */

const HOOK = new URL('../../../harness/trace/subject/hook.js', import.meta.url).href

/**
 * Records a program given as text, and reads its trace.
 *
 * @param {TestContext} t
 * @param {string} program
 * @param {readonly string[]} [imports]  Modules that are loaded before the recorder.
 */
function record (t, program, imports = []) {
  const folder = temporaryFolder(t)
  const trace = path.join(folder, 'app.trace')
  writeFileSync(path.join(folder, 'app.mjs'), program)
  const { status: code, stderr } = spawnSync(
    process.execPath,
    [...imports, HOOK].flatMap(url => ['--import', url]).concat('app.mjs'),
    {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, TIMERQ_TRACE: trace }
    }
  )
  return { folder, code, stderr, trace: readTrace(trace) }
}

const NAMES = { [START]: 'start', [REFRESH]: 'refresh', [CANCEL]: 'cancel', [FIRE]: 'fire' }

/**
 * Lines such as `start 0 5`: timer 0, for 5 ms.
 *
 * @param {Trace} trace
 */
const operations = ({ kinds, timers, durations }) =>
  Array.from(kinds, (kind, i) => [NAMES[kind], timers[i], durations[i] || ''].join(' ').trim())

test('values of any magnitude are read back as written', t => {
  const file = path.join(temporaryFolder(t), 'x.trace')
  const writer = new TraceWriter(file, 1000)
  for (const [kind, time, timer, duration] of [
    [START, 1000, 0, 1],
    [START, 1005, 300, 2 ** 31 - 1],
    [REFRESH, 2 ** 40, 300],
    [CANCEL, 2 ** 40, 0],
    [FIRE, 2 ** 40 + 1, 300]
  ]) {
    writer.write(kind, time, timer, duration)
  }
  writer.flush()
  const trace = readTrace(file)
  assert.deepEqual(operations(trace), [
    'start 0 1',
    'start 300 2147483647',
    'refresh 300',
    'cancel 0',
    'fire 300'
  ])
  assert.deepEqual([...trace.times], [0, 5, 2 ** 40 - 1000, 2 ** 40 - 1000, 2 ** 40 - 999])
  assert.equal(trace.timerCount, 301)
  assert.equal(trace.isTruncated, false)
})

test('a trace that was cut off is read up to its last whole record', t => {
  const file = path.join(temporaryFolder(t), 'x.trace')
  const writer = new TraceWriter(file, 0)
  for (let i = 0; i < 10; i++) writer.write(START, i, i, 60_000)
  writer.flush()
  truncateSync(file, statSync(file).size - 1)
  const trace = readTrace(file)
  assert.equal(trace.kinds.length, 9)
  assert.equal(trace.isTruncated, true)
})

test('a trace ends at the length that can be read, between two records, and says so', async t => {
  const file = path.join(temporaryFolder(t), 'x.trace')
  const limit = 200_000
  const writer = new TraceWriter(file, 0, limit)
  const warned = once(process, 'warning')
  for (let i = 0; i < limit; i++) writer.write(START, i, i, 60_000)
  writer.flush()
  assert.match((await warned)[0].message, /x\.trace ends here: recommend reads no longer one$/)
  assert.ok(statSync(file).size <= limit)
  const { isTruncated, kinds } = readTrace(file)
  assert.deepEqual([isTruncated, kinds.length > 10_000], [false, true])
})

test('global timers are recorded: started, refreshed, cancelled, fired', t => {
  const { trace, code } = record(
    t,
    `
    import { setTimeout as imported } from 'node:timers'
    const a = setTimeout(() => {}, 5)
    const b = imported(() => {}, 60_000)
    b.refresh()
    clearTimeout(b)
    clearTimeout(b)
    let left = 2
    const c = setInterval(() => { if (--left === 0) clearInterval(c) }, 20)
  `
  )
  assert.equal(code, 0)
  assert.deepEqual(operations(trace), [
    'start 0 5',
    'start 1 60000',
    'refresh 1',
    'cancel 1',
    'start 2 20',
    'fire 0',
    'fire 2',
    'start 2 20',
    'fire 2',
    'start 2 20',
    'cancel 2'
  ])
})

test('timers of timers/promises and AbortSignal.timeout are recorded, also where they are cancelled', t => {
  const { trace, code, stderr } = record(
    t,
    `
    import { scheduler, setInterval, setTimeout as sleep } from 'node:timers/promises'
    import { setTimeout as callback } from 'node:timers'
    import { promisify } from 'node:util'
    const seen = [await sleep(5, 'slept'), await promisify(callback)(6, 'promised'), await scheduler.wait(7)]
    const stop = new AbortController()
    const waiting = sleep(60_000, null, { signal: stop.signal })
    stop.abort()
    await waiting.catch(({ name }) => seen.push(name))
    await sleep(60_000, null, { signal: AbortSignal.abort() }).catch(({ name }) => seen.push(name))
    for await (const value of setInterval(8, 'tick')) if (seen.push(value) === 6) break
    const signal = AbortSignal.timeout(9)
    await new Promise(resolve => {
      signal.onabort = resolve
      callback(() => {}, 1000).unref()
      callback(() => {}, 30)
    })
    if (seen.join() !== 'slept,promised,,AbortError,AbortError,tick') throw new Error(seen.join())
    if (signal.reason.name !== 'TimeoutError') throw signal.reason
  `
  )
  assert.deepEqual([code, stderr], [0, ''])
  assert.deepEqual(operations(trace), [
    'start 0 5',
    'fire 0',
    'start 1 6',
    'fire 1',
    'start 2 7',
    'fire 2',
    'start 3 60000',
    'cancel 3',
    'start 4 8',
    'fire 4',
    'start 4 8',
    'cancel 4',
    'start 5 9',
    'start 6 1000',
    'start 7 30',
    'fire 5',
    'fire 7'
  ])
})

test('a signal of AbortSignal.timeout that is collected as garbage cancels its timer', t => {
  const { trace, stderr } = record(
    t,
    `
    import v8 from 'node:v8'
    import { runInNewContext } from 'node:vm'
    v8.setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc')
    for (let i = 0; i < 100; i++) AbortSignal.timeout(60_000)
    setTimeout(collect, 5)
    setTimeout(() => {}, 50)
  `
  )
  assert.equal(stderr, '')
  const cancels = [...trace.kinds].filter(kind => kind === CANCEL).length
  assert.ok(cancels > 50, `${cancels} of 100 were cancelled`)
})

test('a timer that is refreshed after it has fired starts again, one that was cleared does not', t => {
  const { trace } = record(
    t,
    `
    let fired = 0
    const again = setTimeout(() => { if (++fired === 1) again.refresh() }, 5)
    const cleared = setTimeout(() => {}, 60_000)
    clearTimeout(cleared)
    cleared.refresh()
  `
  )
  assert.deepEqual(operations(trace), [
    'start 0 5',
    'start 1 60000',
    'cancel 1',
    'fire 0',
    'start 0 5',
    'fire 0'
  ])
})

const CLOCK_AHEAD =
  'data:text/javascript,const now = performance.now.bind(performance); let calls = 0; ' +
  'performance.now = () => now() + (calls++ && 5)'

for (const [clock, imports] of /** @type {const} */ ([
  ['a clock', []],
  ["a clock that is ahead of Node's", [CLOCK_AHEAD]]
])) {
  test(`no timer is recorded as fired before it was due, with ${clock}`, t => {
    const { trace } = record(
      t,
      `
      for (let i = 0; i < 300; i++) setTimeout(() => {}, i)
      let left = 30
      const interval = setInterval(() => { if (--left === 0) clearInterval(interval) }, 3)
      const again = setTimeout(() => {}, 20)
      setTimeout(() => { again.refresh() }, 15)
    `,
      imports
    )
    const started = new Map()
    const durations = new Map()
    trace.kinds.forEach((kind, i) => {
      const timer = trace.timers[i]
      if (kind === START) durations.set(timer, trace.durations[i])
      if (kind === START || kind === REFRESH) started.set(timer, trace.times[i])
      if (kind === FIRE) {
        const early = started.get(timer) + durations.get(timer) - trace.times[i]
        assert.ok(early <= 0, `${early} ms early`)
      }
    })
    assert.equal(trace.kinds.filter(kind => kind === FIRE).length, 332)
  })
}

test('every way to clear a timer is seen, and unref leaves it as it is', t => {
  const { trace } = record(
    t,
    `
    import timers from 'node:timers'
    clearTimeout(+setTimeout(() => {}, 60_001))
    clearTimeout(String(+setTimeout(() => {}, 60_002)))
    setTimeout(() => {}, 60_003).close()
    setTimeout(() => {}, 60_004)[Symbol.dispose]?.()
    timers.clearInterval(timers.setTimeout(() => {}, 60_005))
    setTimeout(() => {}, 60_006).unref()
    const primitive = +setTimeout(() => {}, 1)
    setTimeout(() => clearTimeout(primitive), 20)
  `
  )
  const cleared = [0, 1, 2, 3, 4].flatMap(number => [`start ${number} ${60_001 + number}`, `cancel ${number}`])
  assert.deepEqual(operations(trace), [
    ...cleared,
    'start 5 60006',
    'start 6 1',
    'start 7 20',
    'fire 6',
    'fire 7'
  ])
})

test('a duration is recorded as Node rounds it', t => {
  const { trace } = record(
    t,
    'for (const delay of [undefined, -1, 2.9, "7", NaN]) clearTimeout(setTimeout(() => {}, delay))'
  )
  assert.deepEqual(
    trace.durations.filter(duration => duration > 0),
    Float64Array.of(1, 1, 2, 7, 1)
  )
})

test('the idle timer of a socket has one number for life, and starts again after it has fired', t => {
  const { trace } = record(
    t,
    `
    import net from 'node:net'
    const server = net.createServer(socket => {
      socket.setTimeout(20, () => socket.write('still there?'))
    }).listen(0, '127.0.0.1', () => {
      const client = net.connect(server.address().port, '127.0.0.1').once('data', () => {
        client.destroy()
        server.close()
      })
    })
  `
  )
  assert.equal(trace.timerCount, 1)
  const seen = operations(trace)
  assert.deepEqual(seen.slice(0, 3), ['start 0 20', 'fire 0', 'start 0 20'])
  assert.equal(seen.at(-1), 'cancel 0')
})

test('the idle timer of a TLS socket is recorded too', t => {
  const { trace } = record(
    t,
    `
    import tls from 'node:tls'
    // A pre-shared key needs no certificate.
    const shared = { ciphers: 'PSK', maxVersion: 'TLSv1.2' }
    const psk = Buffer.alloc(16, 1)
    const server = tls.createServer({ ...shared, pskCallback: () => psk }, socket => {
      socket.setTimeout(60_000)
      socket.once('data', () => socket.end()).resume()
    }).listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      const pskCallback = () => ({ identity: 'test', psk })
      const client = tls.connect({ ...shared, port, host: '127.0.0.1', pskCallback, checkServerIdentity () {} })
      client.on('secureConnect', () => client.write('hello')).on('close', () => server.close()).resume()
    })
  `
  )
  const number = trace.timers[trace.durations.indexOf(60_000)]
  const ofSocket = operations(trace).map(line => line.split(' ')).filter(([, timer]) => timer === `${number}`)
  const kinds = ofSocket.map(([kind]) => kind)
  assert.deepEqual([kinds[0], kinds.includes('refresh'), kinds.at(-1)], ['start', true, 'cancel'])
})

test('worker threads are not recorded, and processes that the program starts record into files ' +
  'of their own', async t => {
  const folder = temporaryFolder(t)
  writeFileSync(
    path.join(folder, 'app.mjs'),
    `
    import { spawnSync } from 'node:child_process'
    import { once } from 'node:events'
    import { isMainThread, Worker } from 'node:worker_threads'
    clearTimeout(setTimeout(() => {}, isMainThread ? 1000 : 3000))
    if (isMainThread) {
      spawnSync(process.execPath, ['-e', 'clearTimeout(setTimeout(() => {}, 2000))'])
      await once(new Worker(new URL(import.meta.url)), 'exit')
    }
  `
  )
  const { code, stderr } = await timerq(words`record --out app.trace -- ${process.execPath} app.mjs`, {
    cwd: folder
  })
  assert.equal(code, 0, stderr)
  assert.deepEqual(operations(readTrace(path.join(folder, 'app.trace'))), [
    'start 0 1000',
    'cancel 0'
  ])
  const [, other] = /of the processes it started: (app\.trace\.\d+)/.exec(stderr) ?? []
  assert.deepEqual(operations(readTrace(path.join(folder, other))), [
    'start 0 2000',
    'cancel 0'
  ])
})

test(
  'a disk that is full ends the trace, not the program',
  { skip: skipUnless(existsSync('/dev/full'), 'needs /dev/full (Linux has it)') },
  () => {
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--import', HOOK, '--eval', 'setTimeout(() => process.exit(7), 1)'],
      { env: { ...process.env, TIMERQ_TRACE: '/dev/full' }, encoding: 'utf8' }
    )
    assert.equal(status, 7)
    assert.match(stderr, /timerq: \/dev\/full ends here: ENOSPC/)
  }
)

test('the recorded program behaves the same', t => {
  const { code, stderr } = record(
    t,
    `
    import assert from 'node:assert/strict'
    import { promisify } from 'node:util'
    assert.equal(await promisify(setTimeout)(1, 'value'), 'value')
    const seen = await new Promise(resolve => {
      const timer = setTimeout(function (...args) { resolve([this === timer, ...args]) }, 1, 2, 3)
    })
    assert.deepEqual(seen, [true, 2, 3])
    assert.throws(() => setTimeout('code', 1), { code: 'ERR_INVALID_ARG_TYPE' })
    clearTimeout(undefined)
    clearTimeout(Symbol('no timer'))
    process.exitCode = 7
  `
  )
  assert.equal(code, 7, stderr)
})

test('the idle timers of the sockets of a server are recorded', t => {
  const { trace } = record(
    t,
    `
    import http from 'node:http'
    const server = http.createServer((request, response) => response.end()).listen(0, '127.0.0.1', async () => {
      const agent = new http.Agent({ keepAlive: true, maxSockets: 5 })
      const { port } = server.address()
      const get = () => new Promise(resolve => {
        http.get({ port, host: '127.0.0.1', agent }, response => response.resume().on('end', resolve))
      })
      await Promise.all(Array.from({ length: 200 }, get))
      agent.destroy()
      server.close()
      server.closeAllConnections()
    })
    server.timeout = 60_000
  `
  )
  const counts = [START, REFRESH, CANCEL].map(kind => trace.kinds.filter(other => other === kind).length)
  assert.ok(counts[0] >= 5 && counts[1] >= 200 && counts[2] >= 5, `${counts}`)
})

test('a program that throws leaves a readable trace', t => {
  const { trace, code } = record(t, 'setTimeout(() => {}, 60_000); throw new Error("on purpose")')
  assert.equal(code, 1)
  assert.deepEqual(operations(trace), ['start 0 60000'])
})

test('a trace that cannot be written is reported before the program starts', async t => {
  const folder = temporaryFolder(t)
  const { code, stderr } = await timerqHere('record --out no/such/app.trace -- touch started', {
    cwd: folder
  })
  assert.equal(code, 2)
  assert.match(stderr, /^timerq: cannot write no\/such\/app\.trace: ENOENT.*; choose another file\n$/)
  assert.equal(existsSync(path.join(folder, 'started')), false)
})

test('an older trace is replaced; a file that is no trace is left as it is, and the program ' +
  'does not start', async t => {
  const folder = temporaryFolder(t)
  const recordTo = (/** @type {string} */ out) =>
    timerq(['record', '--out', out, '--', process.execPath, '-e', 'require("fs").writeFileSync("started", "")'], {
      cwd: folder
    })
  writeFileSync(path.join(folder, 'thesis.txt'), 'precious')
  const { code, stderr } = await recordTo('thesis.txt')
  assert.deepEqual(
    [code, stderr],
    [2, 'timerq: cannot write thesis.txt: it is not a trace, and is left as it is; choose another file\n']
  )
  assert.equal(readFileSync(path.join(folder, 'thesis.txt'), 'utf8'), 'precious')
  assert.equal(existsSync(path.join(folder, 'started')), false)
  assert.equal((await recordTo('app.trace')).code, 0)
  assert.equal((await recordTo('app.trace')).code, 0)
})
