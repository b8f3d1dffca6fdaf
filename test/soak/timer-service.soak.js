/**
 * An hour of mixed traffic in a minute (TIMERQ_SOAK_SECONDS), on servers whose sockets have their timers in a queue.
 *
 * Lateness depends on the machine. So every timer is compared with a twin among Node's own timers, on the same event
 * loop, in blocks: the median difference over all blocks has an interval. A test fails if the whole interval is beyond
 * the tolerance. If only part of it is, the machine is too busy to decide, and the test is skipped with this reason.
 */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { quantile } from 'simple-statistics'
import { addUp } from '../../harness/subject/http/add-up.js'
import { medianInterval } from '../../harness/judge/statistics/interval.js'
import { queues } from '../../queues/index.js'
import { atRest, startServer, visitAll } from '../harness/subject/http/mixed-traffic.js'

const SECONDS = Number(process.env.TIMERQ_SOAK_SECONDS ?? 60)
const QUEUES = ['hierarchical-wheel', 'lazy-wheel', 'duration-lists', 'binary-heap']
const BLOCKS = 20
const FEWEST_IN_BLOCK = 10
/** Low ones say most on a busy machine: when it stalls, all timers fire when the stall is over. */
const QUANTILES = [0.1, 0.5, 0.9, 0.99]
const TOLERANCE_MS = 2
/** Code that runs for the first time is compiled and fills caches, so the heap is first measured after this. */
const WARM_UP_SECONDS = Math.max(2, SECONDS / 10)
/**
 * A connection that stays in memory costs more than 3 kilobytes. In the same traffic, a server of Node's own timers,
 * with no queue and no twins, grows by about 180 bytes a connection; late compilation is a fixed amount.
 */
const HEAP_BYTES_PER_CONNECTION = 300
const HEAP_BYTES = 2 ** 20

test(`${SECONDS} s of mixed traffic leave no timer behind, and none is early`, async t => {
  const seed = Number(process.env.TIMERQ_SOAK_SEED ?? Math.floor(Math.random() * 2 ** 31))
  t.diagnostic(`the same traffic again: TIMERQ_SOAK_SEED=${seed}`)
  /** @type {Record<string, any>} */
  const servers = {}
  for (const { name, url } of queues.filter(({ name }) => QUEUES.includes(name))) {
    servers[name] = await startServer(t, url)
  }
  /** @type {(of: (server: any) => Promise<any>) => Promise<Record<string, any>>} */
  const ofAll = async of =>
    Object.fromEntries(await Promise.all(QUEUES.map(async name => [name, await of(servers[name])])))

  const warmUp = await visitAll(Object.values(servers), { seconds: WARM_UP_SECONDS, seed })
  await warmUp.over
  const before = await ofAll(atRest)
  await ofAll(server => server.ask('read'))
  const blocks = []
  const visited = []
  for (let block = 0; block < BLOCKS; block++) {
    visited.push(await visitAll(Object.values(servers), { seconds: SECONDS / BLOCKS, seed: seed + 1 + block }))
    blocks.push(await ofAll(server => server.ask('read')))
  }
  await Promise.all(visited.map(({ over }) => over))
  t.diagnostic(`visits to each server: ${JSON.stringify(addUp(visited.map(({ counts }) => counts)))}`)
  const after = await ofAll(atRest)
  const closed = await ofAll(server => server.ask('close'))

  for (const name of QUEUES) {
    const sum = (/** @type {(block: any) => number} */ of) =>
      blocks.reduce((total, block) => total + of(block[name]), 0)
    const connections = sum(block => block.connections)
    const fired = sum(block => block.fired)
    const early = sum(block => block.early)
    const afterClose = sum(block => block.afterClose)
    const grown = after[name].heapBytes - before[name].heapBytes
    t.diagnostic(
      `${name}: ${connections} connections, ${fired} fired, ${early} early, heap ${(before[name].heapBytes / 2 ** 20).toFixed(1)} MB ${grown < 0 ? '-' : '+'} ${Math.abs(grown)} B`
    )

    await t.test(`${name}: nothing is left`, () => {
      assert.ok(fired > 0, 'no timer has fired')
      assert.equal(afterClose, 0, 'timers of closed sockets have fired')
      assert.equal(after[name].open, 0)
      assert.equal(after[name].pending, 0)
      assert.equal(closed[name].pending, 0)
    })
    await t.test(`${name}: the heap returns to its level`, () => {
      const limit = HEAP_BYTES + HEAP_BYTES_PER_CONNECTION * connections
      assert.ok(grown <= limit, `grew by ${grown} bytes in ${connections} connections`)
    })
    await t.test(`${name}: no timer is early`, () => assert.equal(early, 0))
    for (const q of QUANTILES) {
      await t.test(`${name}: lateness is within ${TOLERANCE_MS} ms of Node's own at p${100 * q}`, t => {
        const full = blocks.filter(block => block[name].lateness.queue.length >= FEWEST_IN_BLOCK)
        if (full.length < BLOCKS / 2) return t.skip('too few timers have fired: give it more seconds')
        const { median, low, high } = medianInterval(
          full.map(block => latenessAt(q, block[name].lateness.queue) - latenessAt(q, block[name].lateness.node))
        )
        const seen = `${median.toFixed(2)} ms (${low.toFixed(2)} to ${high.toFixed(2)})`
        t.diagnostic(seen)
        assert.ok(low <= TOLERANCE_MS && high >= -TOLERANCE_MS, seen)
        if (low < -TOLERANCE_MS || high > TOLERANCE_MS) t.skip(`the machine is too busy to decide: ${seen}`)
      })
    }
  }
})

/**
 * @param {number} q
 * @param {number[]} values Below 0 where Node's own timers fired early; the queue's may not, which has a test of its
 *   own.
 */
function latenessAt (q, values) {
  return quantile(
    values.map(late => Math.max(0, late)),
    q
  )
}
