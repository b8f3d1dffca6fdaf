import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { scenario } from './my-server.js'

test('the server answers', async t => {
  const server = scenario.createServer(createServer, { connections: 1, seconds: 1 }, /** @type {any} */ ({}))
  server.listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const response = await fetch(`http://127.0.0.1:${server.address().port}/`)
  assert.equal(response.status, 200)
  assert.deepEqual(await response.json(), { hello: '/' })
})
