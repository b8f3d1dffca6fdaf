import { test } from 'node:test'
import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { Channel } from '../../../harness/processes/channel.js'

const FORGED = { kind: 'wrong', message: "the queue wrote to the harness's own channel, so its results are discarded" }

/** A process whose replies the test writes. */
function start () {
  const process = Object.assign(new EventEmitter(), { send () {} })
  return {
    process,
    channel: new Channel(/** @type {any} */ (process)),
    reply: (/** @type {unknown} */ message) => process.emit('message', message)
  }
}

test('replies belong to their requests, whatever their order', async () => {
  const { channel, reply } = start()
  const replies = [channel.ask({ type: 'first' }), channel.ask({ type: 'second' })]
  reply({ id: 2, value: { is: 'second' } })
  reply({ id: 1, value: { is: 'first' } })
  assert.deepEqual(await Promise.all(replies), [{ is: 'first' }, { is: 'second' }])
})

for (const message of [null, 'text', { cpuMs: 0.001 }, { id: 2, value: {} }]) {
  test(`${JSON.stringify(message)} is no reply, and no later one counts`, async () => {
    const { channel, reply } = start()
    const asked = channel.ask({ type: 'any' })
    reply(message)
    await assert.rejects(asked, FORGED)
    await assert.rejects(channel.ask({ type: 'any' }), FORGED)
  })
}

test('a second reply to a request spoils what follows', async () => {
  const { channel, reply } = start()
  const asked = channel.ask({ type: 'any' })
  reply({ id: 1, value: { is: 'real' } })
  reply({ id: 1, value: { is: 'forged' } })
  assert.deepEqual(await asked, { is: 'real' })
  await assert.rejects(channel.ask({ type: 'any' }), FORGED)
})

for (const { reply: sent, error } of [
  { reply: { value: null }, error: { kind: 'wrong', message: 'its process sent an invalid reply: null' } },
  { reply: { value: 5 }, error: { kind: 'wrong', message: 'its process sent an invalid reply: 5' } },
  { reply: { error: 'insert is broken', isWrong: false }, error: { kind: 'crash', message: 'insert is broken' } },
  { reply: { error: 'it fired early', isWrong: true }, error: { kind: 'wrong', message: 'it fired early' } }
]) {
  test(`a reply of ${JSON.stringify(sent)} is an error of kind ${error.kind}`, async () => {
    const { channel, reply } = start()
    const asked = channel.ask({ type: 'any' })
    reply({ id: 1, ...sent })
    await assert.rejects(asked, error)
  })
}
