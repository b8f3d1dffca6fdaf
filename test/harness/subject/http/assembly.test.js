/** Servers wait with their answers until a load has opened all its connections. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { Child } from '../../../../harness/processes/child.js'
import { SERVER } from '../../../../harness/processes/entries.js'
import { runtime, serverJob } from '../../measure/entrants.js'

const LIMIT_MS = 20_000
const REQUEST = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'

/** @param {import('node:test').TestContext} t */
async function startServer (t) {
  const child = new Child(SERVER, { runtime })
  t.after(() => child.end())
  const job = serverJob(null, 'scenarios/keep-alive.js', { connections: 3 })
  const { port } = await child.ask({ type: 'listen', ...job, expectedConnections: 3 }, LIMIT_MS)
  return { child, port }
}

test('a load begins when all its connections are open, and so does the next one', async t => {
  const { child, port } = await startServer(t)
  for (const load of ['first', 'second']) {
    await child.ask({ type: 'open' }, LIMIT_MS)
    let answers = 0
    // A listener that is added after an await may miss the answer.
    const request = (/** @type {import('node:net').Socket} */ socket) => {
      const answer = once(socket, 'data')
      socket.write(REQUEST)
      return answer
    }
    const open = async () => {
      const socket = connect(port, '127.0.0.1').on('data', () => {
        answers++
      })
      await once(socket, 'connect')
      return { socket, answer: request(socket) }
    }
    const opened = [await open(), await open()]
    for (let requests = 0; requests < 2;) requests += (await child.ask({ type: 'slice' }, LIMIT_MS)).requests
    // An answer to one of them would have left the server before this reply.
    await child.ask({ type: 'slice' }, LIMIT_MS)
    await new Promise(resolve => setImmediate(() => setImmediate(resolve)))
    assert.equal(answers, 0, load)
    opened.push(await open())
    await Promise.all(opened.map(({ answer }) => answer))
    await Promise.all(opened.map(({ socket }) => request(socket)))
    assert.equal(answers, 6, load)
    for (const { socket } of opened) socket.destroy()
    await child.ask({ type: 'rest', connections: 0 }, LIMIT_MS)
  }
})

test('a load whose last connections never come begins without them', async t => {
  const { port } = await startServer(t)
  const socket = connect(port, '127.0.0.1')
  socket.write(REQUEST)
  await once(socket, 'data')
  socket.destroy()
})
