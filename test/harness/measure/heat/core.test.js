import { test } from 'node:test'
import assert from 'node:assert/strict'
import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { Core } from '../../../../harness/measure/heat/core.js'

/** Work on a core that ends when it is told to, and a record of what has begun and ended. */
function createRecord () {
  /** @type {string[]} */
  const seen = []
  /** @type {Map<string, (error?: Error) => void>} */
  const ends = new Map()
  const workOf = (/** @type {string} */ name) => () => new Promise((resolve, reject) => {
    seen.push(name)
    ends.set(name, error => {
      seen.push(`${name} ended`)
      if (error) reject(error)
      else resolve(name)
    })
  })
  const end = async (/** @type {string} */ name, /** @type {Error} */ error = undefined) => {
    ends.get(name)?.(error)
    await turnOfLoop()
  }
  return { seen, workOf, end }
}

test('two processes start at once, first come, first served', async () => {
  const { seen, workOf, end } = createRecord()
  const core = new Core()
  const started = ['a', 'b', 'c'].map(name => core.start(workOf(name)))
  assert.deepEqual(seen, ['a', 'b'])
  await end('b')
  assert.deepEqual(seen, ['a', 'b', 'b ended', 'c'])
  await end('a')
  await end('c')
  assert.deepEqual(await Promise.all(started), ['a', 'b', 'c'])
})

test('a heat is measured when nothing starts, and comes before what has not begun to', async () => {
  const { seen, workOf, end } = createRecord()
  const core = new Core()
  for (const name of ['a', 'b', 'c']) core.start(workOf(name))
  const measured = [core.measure(workOf('heat')), core.measure(workOf('next heat'))]
  await end('a')
  assert.deepEqual(seen, ['a', 'b', 'a ended'])
  await end('b')
  assert.deepEqual(seen.slice(3), ['b ended', 'heat'])
  await end('heat')
  assert.deepEqual(seen.slice(5), ['heat ended', 'next heat'])
  await end('next heat')
  assert.deepEqual(seen.slice(7), ['next heat ended', 'c'])
  assert.deepEqual(await Promise.all(measured), ['heat', 'next heat'])
})

test('the heat that is measured lets one process start at a time, and waits for it', async () => {
  const { seen, workOf, end } = createRecord()
  const core = new Core()
  core.measure(workOf('heat'))
  for (const name of ['a', 'b']) core.start(workOf(name))
  await turnOfLoop()
  assert.deepEqual(seen, ['heat'])
  assert.equal(core.hasStarts, true)
  const let1 = core.letStart().then(() => seen.push('goes on'))
  assert.deepEqual(seen, ['heat', 'a'])
  await end('a')
  await let1
  assert.deepEqual(seen, ['heat', 'a', 'a ended', 'goes on'])
  await end('heat')
  assert.deepEqual(seen.slice(4), ['heat ended', 'b'])
  assert.equal(core.hasStarts, false)
  await core.letStart()
})

test('what fails is told to whoever asked for it, and the core is free again', async () => {
  const { seen, workOf, end } = createRecord()
  const core = new Core()
  const failing = assert.rejects(core.start(workOf('a')), /died/)
  await end('a', new Error('died'))
  await failing
  const stopped = assert.rejects(core.measure(workOf('heat')), /stopped/)
  await turnOfLoop()
  await end('heat', new Error('stopped'))
  await stopped
  const last = core.start(workOf('b'))
  assert.equal(seen.at(-1), 'b')
  await end('b')
  assert.equal(await last, 'b')
})
