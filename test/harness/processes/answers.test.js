import { test } from 'node:test'
import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import v8 from 'node:v8'
import { Answers } from '../../../harness/processes/answers.js'

const TOKEN = '0123456789abcdef'
const FORGED = { kind: 'wrong', message: /^it wrote to the harness in the place of its process/ }

/** A process whose answers we write ourselves, and that has asked nothing yet. */
function start () {
  const pipe = new PassThrough()
  const child = Object.assign(new EventEmitter(), { stdio: [null, null, null, null, pipe] })
  const answers = new Answers(/** @type {any} */ (child))
  pipe.write(`${TOKEN}\n`)
  return { pipe, child, answers }
}

/**
 * @param {object} reply
 * @param {string} [token]
 */
function frame (reply, token = TOKEN) {
  const bytes = v8.serialize(reply)
  return Buffer.concat([Buffer.from(`${token} ${bytes.length}\n`), bytes])
}

test('answers belong to their questions, whatever their order', async () => {
  const { pipe, answers } = start()
  const [first, second] = [answers.next(() => {}), answers.next(() => {})]
  pipe.write(Buffer.concat([frame({ id: 2, value: { is: 'second' } }), frame({ id: 1, value: { is: 'first' } })]))
  assert.deepEqual(await Promise.all([first, second]), [{ is: 'first' }, { is: 'second' }])
})

test('an answer may come byte by byte', async () => {
  const { pipe, answers } = start()
  const answer = answers.next(() => {})
  for (const byte of frame({ id: 1, value: { text: 'a\nb' } })) pipe.write(Buffer.of(byte))
  assert.deepEqual(await answer, { text: 'a\nb' })
})

for (const { what, bytes } of [
  { what: 'without the token', bytes: frame({ id: 1, value: {} }, 'fedcba9876543210') },
  { what: 'to a question that nobody asked', bytes: frame({ id: 2, value: {} }) },
  { what: 'of bytes that mean nothing', bytes: Buffer.from(`${TOKEN} 3\nabc`) },
  { what: 'of no length', bytes: Buffer.from(`${TOKEN} all\nabc`) },
  { what: 'without end', bytes: Buffer.alloc(1000, 'x') }
]) {
  test(`an answer ${what} is none, and no later one counts`, async () => {
    const { pipe, answers } = start()
    const answer = answers.next(() => {})
    pipe.write(bytes)
    await assert.rejects(answer, FORGED)
    pipe.write(frame({ id: 2, value: {} }))
    await assert.rejects(answers.next(() => {}), FORGED)
  })
}

test('a second answer spoils what follows', async () => {
  const { pipe, answers } = start()
  const answer = answers.next(() => {})
  pipe.write(Buffer.concat([frame({ id: 1, value: { is: 'real' } }), frame({ id: 1, value: { is: 'forged' } })]))
  assert.deepEqual(await answer, { is: 'real' })
  await assert.rejects(answers.next(() => {}), FORGED)
})

test('a message that comes another way is none of ours', async () => {
  const { child, answers } = start()
  const answer = answers.next(() => {})
  child.emit('message', { cpuMs: 0.001 })
  await assert.rejects(answer, FORGED)
})

for (const value of [null, undefined, 5, 'text']) {
  test(`${value} is no answer`, async () => {
    const { pipe, answers } = start()
    const answer = answers.next(() => {})
    pipe.write(frame({ id: 1, value }))
    await assert.rejects(answer, { kind: 'wrong', message: `its process answered ${value}` })
  })
}

test('an error is reported with its kind', async () => {
  const { pipe, answers } = start()
  const [broken, wrong] = [answers.next(() => {}), answers.next(() => {})]
  pipe.write(Buffer.concat([frame({ id: 1, error: 'insert is broken', isWrong: false }), frame({ id: 2, error: 'it fired early', isWrong: true })]))
  await assert.rejects(broken, { kind: 'crash', message: 'insert is broken' })
  await assert.rejects(wrong, { kind: 'wrong', message: 'it fired early' })
})

test('nothing is asked, and no answer awaited, once the wait was ended', async () => {
  const { answers } = start()
  const reason = new Error('stopped')
  await assert.rejects(answers.next(() => assert.fail('it asks'), AbortSignal.abort(reason)), reason)
})

test('a process for which the system had no pipe left has no answers', () => {
  assert.ok(new Answers(/** @type {any} */ (Object.assign(new EventEmitter(), { stdio: undefined }))))
})
