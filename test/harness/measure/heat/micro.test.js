/** Heats of queues: slices, processes that fail alone, warnings. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { SampleError } from '../../../../harness/model/errors.js'
import { drawLayout, runMicroHeat } from '../../../../harness/measure/heat/micro.js'
import { Reference } from '../../../../harness/measure/micro/reference.js'
import { createRandom } from '../../../../harness/model/random.js'
import { describeWarning } from '../../../../harness/model/warnings.js'
import { microJob, runtime, TIMING, urlOf } from '../entrants.js'
import { temporaryFolder, temporaryModule } from '../../temporary-folder.js'

const GOOD = 'queues/binary-heap.js'

/**
 * @param {string[]} queues
 * @param {NonNullable<Parameters<typeof microJob>[1]> & {expected?: any, signal?: AbortSignal}} [options]
 */
function heatOf (queues, { expected = null, signal, ...options } = {}) {
  const entrants = queues.map(queue => ({ job: microJob(queue, options), runtime, expected }))
  return runMicroHeat(entrants, { seed: 7, signal })
}

/** @param {import('../../../../harness/measure/heat/micro.js').HeatResult | SampleError} result */
function figuresOf (result) {
  assert.ok(!(result instanceof SampleError), String(result))
  return result
}

test('every queue of a heat has a value in every slice', async () => {
  const results = (await heatOf([GOOD, 'queues/lazy-wheel.js', GOOD])).map(figuresOf)
  for (const { metrics, slices } of results) {
    assert.equal(slices.nsPerOp.length, TIMING.turns)
    assert.ok(slices.nsPerOp.every(value => value !== null && value > 0))
    const times = /** @type {number[]} */ (slices.nsPerOp)
    const [low, high] = [Math.min(...times), Math.max(...times)]
    assert.ok(metrics.nsPerOp >= low && metrics.nsPerOp <= high)
  }
})

test('a queue that several processes measure has one result', async () => {
  const entrants = [1, 3].map(processes => ({ job: microJob(GOOD), runtime, expected: null, processes }))
  const results = await runMicroHeat(entrants, { seed: 7 })
  const [{ slices: ofOne }, { slices, metrics }] = results.map(figuresOf)
  assert.deepEqual(Object.keys(slices), Object.keys(ofOne))
  for (const values of Object.values(slices)) {
    assert.equal(values.length, TIMING.turns)
    assert.ok(values.every(value => value !== null && value > 0))
  }
  const times = /** @type {number[]} */ (slices.nsPerOp)
  assert.ok(metrics.nsPerOp >= Math.min(...times) && metrics.nsPerOp <= Math.max(...times))
})

test('a queue of two processes has no result when only one of them dies', async () => {
  const isOdd = (/** @type {ReturnType<typeof drawLayout>} */ { env }) => env.TIMERQ_PADDING.length % 2 === 1
  const seed = Array.from({ length: 100 }, (_, seed) => seed).find(seed => {
    const random = createRandom(seed)
    return !isOdd(drawLayout(random)) && isOdd(drawLayout(random))
  })
  assert.ok(seed !== undefined)
  const entrant = { job: microJob('test/fixtures/queues/dying.js?padding=odd'), runtime, expected: null }
  const [alone] = await runMicroHeat([{ ...entrant, processes: 1 }], { seed })
  figuresOf(alone)
  const [both] = await runMicroHeat([{ ...entrant, processes: 2 }], { seed })
  assert.ok(both instanceof SampleError && both.kind === 'crash')
})

test('batches run at many depths of the stack', async () => {
  const [result] = await heatOf(['test/fixtures/queues/rooted.js'], { scenario: 'staggered-expiry', turns: 10 })
  figuresOf(result)
})

test('phases have slices of their own, and make up the whole', async () => {
  const [result] = await heatOf([GOOD], { scenario: 'staggered-expiry' })
  const { slices } = figuresOf(result)
  slices.nsPerOp.forEach((ns, slice) => {
    const phases = Number(slices.startNsPerTimer[slice]) + Number(slices.expireNsPerTimer[slice])
    assert.ok(Math.abs(phases / Number(ns) - 1) < 0.001, `${phases} and ${ns} ns`)
  })
})

for (const { queue, kind, message } of [
  { queue: 'dying', kind: 'crash', message: /exit code 3/ },
  { queue: 'endless', kind: 'time-limit', message: /^used 1 s of CPU without an answer$/ },
  {
    queue: 'never',
    kind: 'wrong',
    message:
      /^fired 0 of its 50 pending timers after all deadlines had passed, and still counted 50: run `timerq check`$/
  },
  { queue: 'missing', kind: 'crash', message: /cannot be loaded/ }
]) {
  test(`a queue that is ${queue} loses its own result, and no other`, async () => {
    const [first, broken, last] = await heatOf([GOOD, `test/fixtures/queues/${queue}.js`, GOOD], {
      limitMs: queue === 'endless' ? 1000 : 20_000
    })
    assert.ok(broken instanceof SampleError)
    assert.equal(broken.kind, kind)
    assert.match(broken.message, message)
    for (const result of [first, last]) assert.equal(figuresOf(result).slices.nsPerOp.length, TIMING.turns)
  })
}

test('a heat that is stopped while it starts leaves no process behind, not even one that waited for ' +
  'the others', async t => {
  const folder = temporaryFolder(t)
  const started = path.join(folder, 'pid')
  const queue = temporaryModule(
    t,
    `import { writeFileSync } from 'node:fs'
export { BinaryHeap as default, meta } from ${JSON.stringify(urlOf(GOOD))}
writeFileSync(${JSON.stringify(started)}, String(process.pid))
`
  )
  const controller = new AbortController()
  const { signal } = controller
  const heat = heatOf([queue, 'test/fixtures/queues/endless.js'], { signal })
  const stopped = assert.rejects(heat, { name: 'AbortError' })
  while (!existsSync(started) || readFileSync(started, 'utf8') === '') await sleep(20)
  // It has filled its queue by then, or the fault would not show.
  await sleep(500)
  controller.abort()
  await stopped
  assert.throws(() => process.kill(Number(readFileSync(started, 'utf8')), 0), { code: 'ESRCH' })
})

test('a queue that fires the wrong timers is reported, and a queue that fires the right ones is not', async t => {
  const scenario = 'staggered-expiry'
  const reference = new Reference()
  t.after(() => reference.end())
  const expected = await reference.outcomeOf(microJob(GOOD, { scenario }))
  const [good, early] = await heatOf([GOOD, 'test/fixtures/queues/early.js'], { scenario, expected })
  figuresOf(good)
  assert.ok(early instanceof SampleError && early.kind === 'wrong')
  assert.match(early.message, /^fired \d+ timers.*: run `timerq check`$/)
})

test('a queue with long cycles skips slices, and the others do not wait for it', async () => {
  const [quick, slow] = (
    await heatOf([GOOD, 'queues/sorted-list.js'], { size: 5000, turns: 12, turnMs: 2 })
  ).map(figuresOf)
  assert.ok(quick.slices.nsPerOp.every(value => value !== null))
  assert.notEqual(slow.slices.nsPerOp[0], null)
  assert.ok(slow.slices.nsPerOp.filter(value => value === null).length > 6, JSON.stringify(slow.slices.nsPerOp))
  assert.deepEqual([quick.isSlow, slow.isSlow], [undefined, true])
})

test('code whose results nobody uses is as cheap as an empty loop, and the heat says so', async t => {
  const scenarioOf = (/** @type {string} */ body) =>
    temporaryModule(
      t,
      `const hash = x => Math.imul(Math.imul(Math.imul(x, 31) ^ x, 17) ^ (x >>> 3), 13)
export const scenario = {
  name: 'mine', kind: 'code', parameters: {}, presets: { quick: {} },
  createWorkload () {
    const outcome = { checksum: 0 }
    return { outcome, phases: [{ metric: 'nsPerOp', operations: 50_000, run () { ${body} } }] }
  }
}
`
    )
  const warningsOf = async (/** @type {string} */ url) => {
    const job = { ...microJob(url, { warmupMs: 60 }), scenarioUrl: url, isCode: true }
    return figuresOf((await runMicroHeat([{ job, runtime, expected: null }], { seed: 7 }))[0]).warnings.map(
      describeWarning
    )
  }
  const unused = await warningsOf(scenarioOf('for (let i = 0; i < 50_000; i++) hash(i)'))
  assert.match(unused.join(), /as cheap as an empty loop: nsPerOp of .* ns: .* into outcome\.checksum/)
  const used = await warningsOf(
    scenarioOf(
      'let sum = 0; for (let i = 0; i < 50_000; i++) sum = hash(sum ^ i); outcome.checksum = -(sum >>> 0)'
    )
  )
  assert.doesNotMatch(used.join(), /empty loop/)
  const awaited = await warningsOf(scenarioOf('return Promise.resolve()'))
  assert.doesNotMatch(awaited.join(), /empty loop/)
})
