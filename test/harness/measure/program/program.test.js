/** Real programs of users, as they are: found, asked, and named where they cannot be measured. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { Agent, createServer, get } from 'node:http'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chooseServer } from '../../../../harness/measure/program/choose-server.js'
import { placeInTree } from '../../../../harness/processes/proc-stat.js'
import { skipUnless } from '../../../needs.js'
import { programOf } from './programs.js'

const WHEEL = new URL('../../../../queues/lazy-wheel.js', import.meta.url).href
const TIMERS = new URL('../../../../timers/plug-sockets.js', import.meta.url).href

/**
 * @param {number} port
 * @param {Agent} [agent]
 * @param {string} [url]
 * @returns {Promise<{status?: number, text: string}>}
 */
function send (port, agent, url = '/') {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: url, agent }, response => {
      let text = ''
      response
        .setEncoding('utf8')
        .on('data', chunk => {
          text += chunk
        })
        .on('end', () => resolve({ status: response.statusCode, text }))
    }).on('error', reject)
  })
}

/** Programs, and the port for which the server asks that takes the load. */
const LISTENING = /** @type {[keyof typeof import('./programs.js').PROGRAMS, number, object?][]} */ ([
  ['good', 3000],
  ['good', 3000],
  ['asks', Number(process.env.PORT ?? 8080)],
  ['any', 0],
  ['several', 3000],
  ['gateway', 3000],
  ['starting', 3000],
  ['reading', 3000],
  // A client of another protocol is not tried out.
  ['raw', 7000, { load: { command: ['client'] } }]
])

test('copies of programs have a port each, and the server that answers first takes the load', async t => {
  const copies = LISTENING.map(([name, , options]) => programOf(t, name, options))
  const listening = await Promise.all(copies.map(({ listen }) => listen()))
  assert.deepEqual(
    listening.map(({ asked, servers }, i) => [copies[i].name, asked, servers]),
    LISTENING.map(([name, asked]) => [name, asked, { several: 3, gateway: 2 }[String(name)] ?? 1])
  )
  assert.equal(new Set(listening.map(({ port }) => port)).size, copies.length)
  const [{ port, isTls, version }] = listening
  assert.equal((await send(port)).text, 'x')
  assert.deepEqual({ isTls, version }, { isTls: false, version: process.version })
})

test('a program counts its requests, failures, connections and CPU time, and its sockets restart timers ' +
  'in the queue', async t => {
  const { listen, ask } = programOf(t, 'picky', { queueUrl: WHEEL, path: '/users' })
  const { port } = await listen()
  await ask('open')
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.after(() => agent.destroy())
  for (const url of ['/users', '/users', '/missing']) await send(port, agent, url)
  const slice = await ask('slice')
  assert.deepEqual([slice.requests, slice.accepted], [3, 1])
  assert.ok(slice.cpuMicros > 0 && slice.ms > 0)
  assert.equal((await ask('slice')).requests, 0)
  const { requests, statuses, connectedPeak, timers } = await ask('close')
  assert.deepEqual({ requests, statuses, connectedPeak }, { requests: 3, statuses: { 404: 1 }, connectedPeak: 1 })
  // The pause after each answer has a timeout.
  assert.ok(timers.started >= 3, JSON.stringify(timers))
  await ask('open')
  assert.equal((await ask('close')).requests, 0)
})

test("without a queue, the sockets' timers are Node's own", async t => {
  const { listen, ask } = programOf(t, 'good')
  await listen()
  assert.equal((await ask('close')).timers, null)
})

test("the package's timers are under the sockets as a user imports them: timeouts expire there, and nothing " +
  'is counted', async t => {
  const [node, ours] = [programOf(t, 'idle'), programOf(t, 'idle', { queueUrl: TIMERS })]
  const ports = await Promise.all([node, ours].map(({ listen }) => listen()))
  const answers = await Promise.all(ports.map(({ port }) => send(port, undefined, '/idle')))
  assert.deepEqual(
    answers.map(({ text }) => text),
    ['kept by Node', 'kept elsewhere']
  )
  const { timers, idleTimers } = await ours.ask('close')
  assert.deepEqual({ timers, idleTimers }, { timers: null, idleTimers: undefined })
})

/**
 * Chooses one of the servers that this process runs, as those of a program.
 *
 * @param {import('node:test').TestContext} t
 * @param {number} startSeconds
 * @param {...import('node:http').RequestListener} listeners  The first stands for port 3000, and so on.
 */
async function choose (t, startSeconds, ...listeners) {
  const announced = await Promise.all(
    listeners.map(async (listener, i) => {
      const server = createServer(listener).listen(0, '127.0.0.1')
      t.after(() => {
        server.closeAllConnections()
        server.close()
      })
      await once(server, 'listening')
      const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
      return /** @type {any} */ ({ port, asked: 3000 + i, role: 'process', isTls: false, isHttp2: false })
    })
  )
  return chooseServer(
    announced,
    /** @type {any} */ ({ program: { command: ['node', 'server.js'], cwd: '', path: '/', startSeconds }, load: {} }),
    { findAbsence: () => null, portsAsked: () => [], signal: new AbortController().signal }
  )
}

test('a server has as long for its first answer as to start, and the last answer is said', async t => {
  const { asked } = await choose(t, 30, (_, response) => setTimeout(() => response.end(), 2500))
  assert.equal(asked, 3000)
  await assert.rejects(choose(t, 1, (_, response) => response.writeHead(503).end()), {
    message:
      'node server.js answered on no port within 1 s (port 3000 of the program answers GET / with ' +
      '503 Service Unavailable): raise --time-limit if it needs longer to start'
  })
  await assert.rejects(choose(t, 0.1, () => {}), { message: /within 0.1 s \(port 3000 .* gave no answer to GET \/; if it/ })
})

test('the server that listened first has precedence for its first answer', async t => {
  const answer = (/** @type {number} */ ms) => (/** @type {any} */ _, /** @type {any} */ response) =>
    setTimeout(() => response.end(), ms)
  assert.equal((await choose(t, 30, answer(300), answer(0))).asked, 3000)
})

test('a program sees no sign of the measurement, and ends as ever', async t => {
  const { program, cwd, listen } = programOf(t, 'watching', { queueUrl: WHEEL, args: ['--fast'] })
  const { port } = await listen()
  const { seen, ...rest } = JSON.parse((await send(port)).text)
  assert.deepEqual(rest, { argv: ['--fast'], cwd, channel: true })
  assert.deepEqual(seen, [0, 0, 0])
  assert.deepEqual(readdirSync(cwd), ['server.js'])
  await send(port, undefined, '/end')
  await assert.rejects(
    program.during(new Promise(() => {})),
    /ended with exit code 0: only a program that goes on can be measured$/
  )
})

for (const isAsked of [false, true]) {
  test(`a program may tidy up before it ends, asked ${isAsked ? 'over its channel' : 'by a signal'}`, async t => {
    const { program, cwd, listen } = programOf(t, 'tidy', { isAsked })
    await listen()
    await program.end()
    assert.deepEqual(readdirSync(cwd), ['server.js', 'tidied'])
  })
}

/** @type {[keyof typeof import('./programs.js').PROGRAMS, RegExp, object?][]} */
const FAULTS = [
  ['crash', /server\.js ended with exit code 1: Error: Cannot find module '\.\/no-such-module'$/],
  ['end', /server\.js ended with exit code 0: only a program that goes on can be measured$/],
  ['picky', /^port 3000 of the program answers GET \/ with 404 Not Found: choose another with --path$/],
  [
    'raw',
    /^port 7000 of the program does not answer HTTP requests \(.*\): load it with its own client, by --load-command$/
  ],
  ['http2', /^port 3000 of the program speaks HTTP\/2 only, which neither wrk nor autocannon does: /],
  ['unix', /^the program listens on a Unix socket \(.*app\.sock\), which no load reaches: let it listen on a port$/],
  ['cluster', /^the program is a cluster: timerq measures one process, so start it without its workers /],
  ['thread', /^a worker thread listens: timerq measures the main thread of a process$/],
  ['good', /^the program asks for port 3000, not for --port 4000$/, { port: 4000 }],
  ['several', /^port 9090 of the program answers GET \/ with 404 Not Found: choose another with --path$/, { port: 9090 }],
  [
    'asking',
    /^port 3000 .* 502 Bad Gateway: the program connects to port 3000, and timerq gives its server there another port: /,
    { countsIdleTimers: true }
  ],
  [
    'silent',
    /server\.js answered on no port within 0\.2 s: raise --time-limit if it needs longer to start$/,
    { startSeconds: 0.2 }
  ],
  ...(process.platform === 'linux'
    ? [
        [
          'absent',
          /^the hook was not in node \(pid \d+\), but only in server\.js \(pid \d+\): its environment has no NODE_OPTIONS /,
          { startSeconds: 3 }
        ]
      ]
    : [])
]

test('each fault of a program has one clear line', async t => {
  await Promise.all(
    FAULTS.map(async ([name, message, options]) => {
      const { listen, cwd } = programOf(t, name, options)
      await assert.rejects(listen(), { name: 'Error', message })
      assert.equal(existsSync(path.join(cwd, 'app.sock')), false)
    })
  )
})

for (const [how, args] of /** @type {[string, string[]][]} */ ([
  ['by its environment', []],
  ['by its connection to timerq', ['without']]
])) {
  const skip = skipUnless(process.platform === 'linux' || args.length > 0, 'needs Linux')
  test(`a server that its program has left running is named, and ended ${how}`, { skip }, async t => {
    const { program, listen, cwd } = programOf(t, 'background', { args })
    const message = args.length > 0 ? /only a program that goes on/ : /: it started pid \d+, which goes on: start that one/
    // The server may answer before its program has ended.
    const ended = listen().then(() => program.during(new Promise(() => {})))
    await assert.rejects(ended, { kind: 'crash', message })
    await program.end()
    const pid = Number(readFileSync(path.join(cwd, 'pid'), 'utf8'))
    while ((placeInTree(pid)?.state ?? 'Z') !== 'Z') await sleep(10)
  })
}

const FORGED = { number: 0, pid: 1, version: 'v20', role: 'process', asked: 1, port: 1, isTls: false, isHttp2: false }

for (const [what, line, reason] of [
  ['half an object', '{"announced": ', 'no JSON'],
  ['a port that is text', JSON.stringify({ announced: { ...FORGED, port: '80' } }), 'announced: port is 80']
]) {
  test(`a program that writes ${what} to timerq's own socket loses its sample, in one line`, async t => {
    const { listen } = programOf(t, 'forging', { args: [line] })
    await assert.rejects(listen(), { kind: 'wrong', message: `its process sent an invalid reply: ${reason}` })
  })
}

test('a program that was killed gets no more signals: its id may be that of another process by now', async t => {
  const { program, listen } = programOf(t, 'killed')
  await assert.rejects(listen(), { kind: 'crash', message: /ended with SIGKILL$/ })
  const { mock } = t.mock.method(process, 'kill')
  await program.end()
  assert.equal(mock.callCount(), 0)
})
