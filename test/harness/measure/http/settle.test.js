/** What a server answered: figures, warnings, or the reason why there are no figures. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { assertCount, scenarioServer } from '../../../../harness/measure/http/scenario-server.js'
import { settle } from '../../../../harness/measure/http/settle.js'
import { programServer } from '../../../../harness/measure/program/program-server.js'

const CLIENT = { requests: 100, seconds: 1, errors: {}, latencyMs: {}, operations: {} }
const WINDOW = { requests: 100, connectedPeak: 1, windowMs: 1000, collections: {}, timers: null, statuses: {} }

/**
 * Settles a server of 100 requests on one connection.
 *
 * @param {{client?: object, window?: object, job?: object, server?: object, copies?: number}} changes
 */
const settled = ({ client, window, job, server, copies = 1 }) => {
  const kind = job && 'program' in job ? programServer : scenarioServer
  const listening = { kind, copies, needs: {}, ask: () => ({ pending: 0, fault: null }), ...server }
  return settle(/** @type {any} */ ({ job: { params: { connections: 1 }, ...job }, ...listening }), {
    client: { ...CLIENT, ...client },
    window: { ...WINDOW, ...window }
  })
}

/** A user's program, with answers by status. */
const program = (/** @type {Record<string, number>} */ statuses = {}, command = undefined) => ({
  window: { statuses },
  job: { program: { requestsPerSecond: 1000 }, load: { command } },
  server: { listening: { version: process.version } }
})
const asked = (/** @type {object} */ answer) => ({ server: { ask: () => ({ pending: 0, fault: null, ...answer }) } })

for (const [what, changes, texts] of /** @type {[string, Parameters<typeof settled>[0], string[]][]} */ ([
  ['a server', {}, []],
  ['timers of closed sockets', asked({ pending: 1 }), ['closed sockets left 1 timer pending']],
  [
    'one failed request of a hundred, without those that waited too long',
    { client: { requests: 99, errors: { timeout: 50, status: 1, read: 0 } } },
    ['1 of 100 requests failed: status 1']
  ],
  [
    'connections that were never open',
    { window: { connectedPeak: 4 }, job: { params: { connections: 5 } } },
    ['only 4 of 5 were ever open; measure for more seconds']
  ],
  [
    'idle connections that were never open',
    { window: { connectedPeak: 1 }, server: { needs: { idleConnections: 1 } } },
    ['only 1 of 2 were ever open; measure for more seconds']
  ],
  [
    'failures of a server that breaks connections on purpose',
    { client: { requests: 0, errors: { read: 100 } }, server: { needs: { breaksConnections: true } } },
    []
  ],
  ['a program', { ...program(), window: { requests: 90, statuses: {} } }, []],
  [
    "a program's connections that were never open",
    { ...program(), window: { connectedPeak: 0, statuses: {} } },
    ['only 0 of 1 were ever open; measure for more seconds']
  ],
  ['redirections', program({ 302: 100 }), ['302 Found to 100.0 % of the requests (--path chooses another page)']],
  ['a missing page', program({ 404: 1 }), ['404 Not Found to 1.0 % of the requests (--path chooses another page)']],
  [
    'one of several servers',
    { ...program(), server: { listening: { version: process.version, asked: 3000, servers: 2 } } },
    ['port 3000 took the load, one of 2 on which the program listens: --port chooses another']
  ],
  [
    'another Node',
    { ...program(), server: { listening: { version: 'v1' } } },
    [`the program runs on v1, timerq on ${process.version}`]
  ]
])) {
  test(`${what}: figures with ${texts.length} warnings`, async () => {
    const { metrics, warnings } = await settled(changes)
    assert.ok('cpuMicrosPerRequest' in metrics)
    assert.deepEqual(warnings.map(({ text }) => text), texts)
  })
}

for (const [changes, kind, message] of /** @type {[Parameters<typeof settled>[0], string, string | RegExp][]} */ ([
  [asked({ fault: 'two appends are lost' }), 'wrong', 'two appends are lost'],
  [{ window: { requests: 0 } }, 'load', 'no request reached the server'],
  [{ client: { requests: 0 } }, 'load', /^no request was answered while the load generator measured/],
  [{ client: { requests: 98, errors: { status: 2 } } }, 'wrong', '2 of 100 requests failed: status 2'],
  [{ client: { requests: 0, errors: { connect: 100 } } }, 'load', '100 of 100 requests failed: connect 100'],
  [{ window: { requests: 120 } }, 'wrong', /^its server counted 120 requests, and the load generator 100: /],
  [program({ 302: 50, 400: 2 }), 'load', /^the program answered 302 Found to 50.0 % .* and 400 Bad Request to 2.0 % .*: choose another with /],
  [program({ 429: 60 }), 'load', /429 Too Many Requests to 60.0 % of the requests: lift the limit/],
  [program({ 403: 60 }), 'load', /403 Forbidden .*, or send what it asks for by --load-command$/],
  [program({ 502: 100 }), 'load', /502 Bad Gateway to 100.0 % of the requests: it fails there, perhaps with a line in its log/],
  [{ ...program(), window: { requests: 0 } }, 'load', 'no request reached the server'],
  [
    { ...program({}, ['client']), window: { requests: 99 } },
    'load',
    /^--load-command sent 99.0 requests a second, and about 1000.0 when /
  ],
  [
    { ...program({}, ['client']), window: { requests: 49 }, copies: 2 },
    'load',
    /^--load-command sent 49.0 requests a second, and about 500.0 when /
  ],
  [
    {
      window: { requests: 0, userMicros: 400_000, systemMicros: 25_000 },
      job: { program: {}, load: { command: ['client'] } },
      server: { listening: { version: process.version } },
      copies: 2
    },
    'load',
    /^the program used up its share of the core \(43 %\), and counts no requests: /
  ]
])) {
  test(`no figures: ${message}`, () => assert.rejects(settled(changes), { kind, message }))
}

test('a load command that sends a tenth of what it sent at first is a load', async () => {
  const { warnings } = await settled({ ...program({}, ['client']), window: { requests: 100 } })
  assert.deepEqual(warnings, [])
})

test('a server that counts a few requests too many loses its sample, one that counts far too many is given up', () => {
  const count = (/** @type {number} */ requests) =>
    assertCount({ requests }, /** @type {any} */ ({ requests: 300, errors: { timeout: 20 } }), { connections: 32 })
  count(320 + 16 + 32)
  assert.throws(() => count(320 + 16 + 32 + 1), { kind: 'load', message: /^its server counted 369 requests, and the load generator 320: / })
  assert.throws(() => count(320 + 2 * (16 + 32)), { kind: 'load' })
  assert.throws(() => count(320 + 2 * (16 + 32) + 1), { kind: 'wrong' })
})
