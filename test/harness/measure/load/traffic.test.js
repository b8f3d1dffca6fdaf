/** Requests that load generators send. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { loadWithAutocannon } from '../../../../harness/measure/load/autocannon.js'
import { loadWithWrk } from '../../../../harness/measure/load/wrk.js'
import { needs } from '../../../needs.js'
import { freePorts } from '../../../ports.js'

const requests = [
  { method: 'GET', path: '/a' },
  { method: 'POST', path: '/b', body: 'two words\n' },
  { method: 'GET', path: '/c' },
  { method: 'GET', path: '/missing' }
]

for (const generate of [loadWithWrk, loadWithAutocannon]) {
  test(
    `${generate.name}: every connection repeats the cycle, each from a different request; only good answers are timed`,
    { skip: generate === loadWithWrk && needs('wrk') },
    async t => {
      /** @type {Map<any, string[]>} */
      const seen = new Map()
      const server = createServer((request, response) => {
        let body = ''
        request
          .setEncoding('utf8')
          .on('data', text => {
            body += text
          })
          .on('end', () => {
            seen.set(request.socket, [...(seen.get(request.socket) ?? []), `${request.method} ${request.url} ${body}`])
            response.statusCode = request.url === '/missing' ? 404 : 200
            // No faster than the test needs.
            setTimeout(() => response.end(), 5)
          })
      }).listen(0, '127.0.0.1')
      t.after(() => {
        server.closeAllConnections()
        server.close()
      })
      await once(server, 'listening')
      const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
      const { operations, errors } = await generate({
        url: `http://127.0.0.1:${port}/`,
        connections: 2,
        threads: 1,
        seconds: 1,
        requests,
        pin: []
      })

      const cycle = requests.map(({ method, path, body = '' }) => `${method} ${path} ${body}`)
      const rounds = [...seen.values()].filter(round => round.length > 2 * cycle.length)
      assert.equal(rounds.length, 2)
      for (const round of rounds) {
        const place = cycle.indexOf(round[0])
        assert.deepEqual(
          round.slice(0, 8),
          Array.from({ length: 8 }, (_, i) => cycle[(place + i) % cycle.length])
        )
      }
      assert.notEqual(rounds[0][0], rounds[1][0])
      const answered = rounds.flat().filter(request => !request.includes('/missing'))
      const posts = answered.filter(request => request.startsWith('POST')).length
      assert.ok(
        operations.POST.requests > 0 && operations.POST.requests <= posts && operations.POST.requests >= posts - 2
      )
      assert.ok(
        operations.GET.requests <= answered.length - posts && operations.GET.requests >= answered.length - posts - 2
      )
      assert.ok(errors.status > 0)
    }
  )
}

test('thousands of requests are arguments of a load generator; more than the system takes cost the sample, ' +
  'in one line', async () => {
  const url = `http://127.0.0.1:${await freePorts(1)}/`
  const loadOf = (/** @type {number} */ length) =>
    loadWithAutocannon({
      ...{ url, connections: 1, threads: 1, seconds: 1, pin: [] },
      requests: Array.from({ length }, () => ({ method: 'POST', path: '/', body: 'a'.repeat(100) }))
    })
  assert.equal((await loadOf(3000)).requests, 0)
  await assert.rejects(loadOf(100_000), {
    kind: 'load',
    message: 'autocannon cannot take this many requests as arguments: let the scenario ask for fewer or shorter ones'
  })
})
