/** Idle timers of sockets, compared with Node's, under traffic of all kinds. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { queues } from '../../../../queues/index.js'
import { atRest, startServer, visitAll } from './mixed-traffic.js'

/** A longer one, with more queues, is in test/soak. */
test('two seconds of mixed traffic leave no timer behind, and none is early', async t => {
  const entries = queues.filter(({ name }) => ['hierarchical-wheel', 'lazy-wheel'].includes(name))
  const servers = await Promise.all(entries.map(({ url }) => startServer(t, url)))
  const { over } = await visitAll(servers, { seconds: 2, seed: 1 })
  await over
  for (const server of servers) {
    const { open, pending } = await atRest(server)
    assert.deepEqual({ open, pending }, { open: 0, pending: 0 })
    const { fired, early, afterClose, connections } = await server.ask('read')
    assert.ok(fired > 0 && connections > fired / 2, `${fired} timers of ${connections} connections have fired`)
    assert.deepEqual({ early, afterClose }, { early: 0, afterClose: 0 })
    assert.deepEqual(await server.ask('close'), { pending: 0 })
  }
})
