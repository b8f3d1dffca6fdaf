/** The league: streams, drivers, heats and tables. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { ModelQueue } from '../../harness/subject/trust/model-queue.js'
import { temporaryFolder } from '../../test/harness/temporary-folder.js'
import { EXAMPLE, readExample } from './example.js'
import { runHeat } from './heat.js'
import { mix } from '../../scenarios/virtual-service.js'
import { Oracle } from './oracle.js'
import { standingsOf } from './standings.js'
import { CANCEL, encodeStream, makeStaggered, makeSteady, PASS, RESTART, START } from './streams.js'

const file = (/** @type {string} */ relative) => fileURLToPath(new URL(relative, import.meta.url))
const LAZY_WHEEL = file('../../queues/lazy-wheel.js')
const NONE = file('js/none.js')
const javascript = [process.execPath, file('js/driver.js')]

const draw = (/** @type {import('../../harness/model/random.js').Random} */ random) => [
  [CANCEL, 0],
  [START, 1 + random(300)]
]
const streams = {
  example: EXAMPLE,
  restarted: makeSteady(200, random => [[RESTART, 1 + random(300)]], { blockMs: 64, fewestOperations: 5000 }),
  'cancelled and started': makeSteady(200, draw, { blockMs: 64, fewestOperations: 5000 }),
  staggered: makeStaggered(300)
}

/**
 * A driver's answers. What its turns took is left out.
 *
 * @param {string[]} command
 * @param {string} stream
 * @param {string[]} rest
 * @param {string[]} requests
 */
function converse ([program, ...args], stream, rest, requests) {
  const { stdout, stderr } = spawnSync(program, [...args, stream, ...rest], {
    input: requests.map(line => `${line}\n`).join(''),
    encoding: 'utf8'
  })
  assert.equal(stderr, '')
  return stdout
    .trim()
    .split('\n')
    .map((line, i) => (requests[i - 1]?.startsWith('turn') && /^\d+$/.test(line) ? 'nanoseconds' : line))
}

/**
 * Replays a stream through the reference model of the other tests.
 *
 * @param {import('./streams.js').Stream} stream
 * @param {number} blocks
 * @param {number} rest  Milliseconds that pass at the end.
 */
function replayModel ({ timers, setup, lap, blocks: inLap }, blocks, rest) {
  const queue = new ModelQueue()
  const handles = Array.from({ length: timers }, (_, timer) => queue.createTimer(timer))
  const words = lap.length / inLap
  const trace = { fired: 0, checksum: 0 }
  let now = 0
  const parts = Array.from({ length: blocks }, (_, block) =>
    lap.subarray((block % inLap) * words, ((block % inLap) + 1) * words)
  )
  for (const part of [setup, ...parts, Int32Array.of(PASS, rest)]) {
    for (let i = 0; i < part.length; i += 2) {
      const [kind, timer, ms] = [part[i] & 3, handles[part[i] >> 2], part[i + 1]]
      if (kind === START) assert.equal(timer.pending, false, 'only idle timers are started')
      if (kind === CANCEL) queue.cancel(timer)
      else if (kind !== PASS) queue.reschedule(timer, now + ms)
      else for (const end = now + ms; now < end;) queue.advance(++now, expire)
    }
  }
  return trace

  /** @param {{payload: unknown}} timer */
  function expire (timer) {
    trace.fired++
    trace.checksum = (trace.checksum + mix(/** @type {number} */ (timer.payload), now)) >>> 0
  }
}

for (const [name, stream] of Object.entries(streams)) {
  test(`the oracle, the model and a queue under the driver agree on what fires: ${name}`, t => {
    const blocks = 2 * stream.blocks + 1
    const oracle = new Oracle(stream)
    oracle.playTo(blocks)
    const expected = oracle.drained()
    assert.ok(expected.fired >= stream.timers)
    assert.deepEqual(replayModel(stream, blocks, oracle.rest), expected)

    const streamFile = path.join(temporaryFolder(t), 'stream.tqs')
    writeFileSync(streamFile, encodeStream(stream))
    const answers = converse(javascript, streamFile, [LAZY_WHEEL], [`turn 1 ${blocks - 1}`, `drain ${oracle.rest}`])
    assert.deepEqual(answers, ['ready', 'nanoseconds', `${expected.fired} ${expected.checksum}`])
  })
}

test('the page shows the example byte for byte, and what drivers answer', t => {
  const { bytes, requests, answers } = readExample()
  assert.equal(bytes.toString('hex'), encodeStream(EXAMPLE).toString('hex'))
  const stream = path.join(temporaryFolder(t), 'example.tqs')
  writeFileSync(stream, bytes)
  assert.deepEqual(converse(javascript, stream, [LAZY_WHEEL], requests), answers)
})

/** @type {Omit<import('./competitors.js').Competitor, 'name' | 'last'>} */
const onNode = { driver: 'driver', command: javascript, warmupMs: 1, followsStream: true, expires: true }
const control = { ...onNode, name: 'control', last: [LAZY_WHEEL] }
const driver = { ...onNode, name: 'driver', last: [NONE], followsStream: false }

test('who fires too late, loses a timer or dies has no figures, and the others keep theirs', async t => {
  const folder = temporaryFolder(t)
  const broken = Object.entries({
    late: 'advance (now, expire) { super.advance(now - 1, expire) }',
    forgetful: 'insert (timer, ...rest) { if (this.payloadOf(timer) !== 7) super.insert(timer, ...rest) }',
    dead: 'cancel () { process.exit(9) }'
  }).map(([name, method]) => {
    const queue = path.join(folder, `${name}.mjs`)
    writeFileSync(
      queue,
      `import { LazyWheel } from ${JSON.stringify(new URL('../../queues/lazy-wheel.js', import.meta.url).href)}
export default class Broken extends LazyWheel { ${method} }
`
    )
    return { ...onNode, name, last: [queue] }
  })
  const stream = streams['cancelled and started']
  const streamFile = path.join(folder, 'stream.tqs')
  writeFileSync(streamFile, encodeStream(stream))
  const entry = {
    name: 'small',
    title: '',
    turn: { lead: 1, measured: 2 },
    slices: 2,
    fires: false,
    make: () => stream
  }
  const outcomes = await runHeat(
    [control, ...broken, driver],
    { entry, stream, path: streamFile },
    { seed: 1, pin: [] }
  )
  const [first, late, forgetful, dead, alone] = outcomes
  for (const { error, nsPerOp } of [first, alone]) {
    assert.equal(error, undefined)
    assert.equal(nsPerOp.filter(ns => ns !== null && ns > 0).length, 2)
  }
  assert.match(late.error ?? '', /^fired "\d+ \d+", expected "\d+ \d+"/)
  assert.match(forgetful.error ?? '', /^fired "\d+ \d+", expected "\d+ \d+"/)
  assert.match(dead.error ?? '', /exit code 9/)
})

test('a heat counts once, by the median over its slices; net figures are net of the driver in the same slice', () => {
  const competitors = [control, { ...control, name: 'own' }, driver]
  const heat = (/** @type {number} */ slow) => [
    { name: 'control', nsPerOp: [12, 22, 32] },
    { name: 'own', nsPerOp: [7, 12 * slow, null] },
    { name: 'driver', nsPerOp: [2, 2, 2] }
  ]
  const { standings, failed } = standingsOf([heat(1), heat(1)], competitors)
  assert.deepEqual(failed, [])
  const [, own, alone] = standings
  // Medians of two heats: 7/12 and 12/22; net of drivers, 5/10 and 10/20.
  assert.ok(Math.abs(/** @type {any} */ (own.ratio).median - (7 / 12 + 12 / 22) / 2) < 1e-12)
  assert.ok(Math.abs(/** @type {any} */ (own.net).median - 0.5) < 1e-12)
  assert.equal(own.ratio?.n, 2)
  assert.equal(alone.net, null)
})
