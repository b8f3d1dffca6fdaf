/**
 * Queues that do what no queue should, each next to a good one: the messages about them, and the figures of the good
 * one.
 */
import { describe, test } from 'node:test'
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { runHttpHeat } from '../../harness/measure/heat/http.js'
import { runMicroHeat } from '../../harness/measure/heat/micro.js'
import { SampleError } from '../../harness/model/errors.js'
import { cpuMsOf } from '../../harness/processes/proc-stat.js'
import { readResults } from '../../harness/store/results.js'
import { declarationOf } from '../../harness/measure/modules/user-modules.js'
import { timerq, words } from '../bin/timerq.js'
import { microJob, pins, runtime, serverJob, take, urlOf } from '../harness/measure/entrants.js'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { skipUnless } from '../needs.js'

/** Turns as short as can be. */
const TIMES = { leadMs: 0, turnMs: 1, turns: 2, tailMs: 10 }
const skip = skipUnless(cpuMsOf(process.pid) !== null, 'needs /proc, to see other processes (Linux has it)')
/** However busy the machine is, what is killed is gone by then. */
const PATIENCE_MS = 60_000

const GOOD = urlOf('queues/binary-heap.js')
const HOSTILE = urlOf('test/fixtures/queues/hostile.js')

/**
 * @param {string} does
 * @param {string} [folder]
 */
const hostile = (does, folder = '') => `${HOSTILE}?${new URLSearchParams({ does, folder })}`

/**
 * A heat of the queue and a good one, which must not suffer.
 *
 * @param {string} queueUrl
 * @param {{scenario?: string, memoryMb?: number, limitMs?: number}} [options]
 */
async function measureBeside (queueUrl, { memoryMb, ...options } = {}) {
  const [good, result] = await runMicroHeat(
    [GOOD, queueUrl].map(url => ({
      job: microJob(url, { ...TIMES, ...options }),
      runtime: { ...runtime, memoryMb },
      expected: null
    })),
    { seed: 1 }
  )
  assert.ok(!(good instanceof SampleError), String(good))
  assert.ok(good.metrics.nsPerOp > 0)
  return result
}

/** @param {string} queueUrl */
const serverOf = queueUrl => ({ ...serverJob(null, 'scenarios/keep-alive.js'), queueUrl })

/**
 * Asks a queue what it declares, from another process.
 *
 * @param {string} queueUrl
 */
function declareElsewhere (queueUrl) {
  const source = `import { declarationOf } from ${JSON.stringify(urlOf('harness/measure/modules/user-modules.js'))}
await declarationOf(${JSON.stringify(queueUrl)})`
  const runner = spawn(process.execPath, ['--input-type=module', '--eval', source], { stdio: 'ignore' })
  return { runner, ended: once(runner, 'close') }
}

/** @param {number} pid */
async function isGone (pid) {
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await sleep(20)) {
    try {
      process.kill(pid, 0)
    } catch {
      return true
    }
  }
  return false
}

describe('in a heat', () => {
  for (const { does, kind, message, options } of [
    { does: 'throws at import', kind: 'crash', message: /hostile\.js.*: cannot be loaded: not today$/ },
    ...Object.entries({
      constructor: 'refresh-one-duration',
      createTimer: 'refresh-one-duration',
      insert: 'start-cancel',
      cancel: 'start-cancel',
      reschedule: 'refresh-one-duration',
      advance: 'staggered-expiry',
      nextExpiry: 'one-timer-poll'
    }).map(([method, scenario]) => ({
      does: `throws in ${method}`,
      kind: 'crash',
      message: new RegExp(`^${method} is broken \\(at .*hostile\\.js.*:\\d+:\\d+\\)$`),
      options: { scenario }
    })),
    { does: 'throws late', kind: 'crash', message: /^the process ended with exit code 1: Error: too late$/ },
    { does: 'answers null', kind: 'crash', message: /^null$/ },
    { does: 'throws what cannot be read', kind: 'crash', message: /^the queue threw a value that cannot be read$/ },
    { does: 'exits at import', kind: 'crash', message: /^the process ended with exit code 0$/ },
    { does: 'exits at work', kind: 'crash', message: /^the process ended with exit code 0$/ },
    {
      does: 'loops at import',
      kind: 'time-limit',
      message: /^(used 1 s of CPU without an answer|gave no answer within 60 s)$/,
      options: { limitMs: 1000 }
    },
    {
      does: 'loops at work',
      kind: 'time-limit',
      message: /^(used 1 s of CPU without an answer|gave no answer within 60 s)$/,
      options: { limitMs: 1000 }
    },
    { does: 'prints much', kind: 'crash', message: /it printed more than 16 MiB$/ },
    {
      does: 'fills the heap',
      kind: 'crash',
      message: /JavaScript heap out of memory|^used more than 160 MB of memory$/,
      options: { memoryMb: 160 }
    },
    { does: 'fills memory', kind: 'crash', message: /^used more than 160 MB of memory$/, options: { memoryMb: 160 } },
    {
      does: 'sends figures',
      kind: 'wrong',
      message: /^the queue wrote to the harness's own channel, so its results are discarded$/
    },
    {
      does: 'fires 50 ms early',
      kind: 'wrong',
      message: /^it fired a timer early: run `timerq check`$/,
      options: { scenario: 'start-cancel' }
    }
  ]) {
    test(
      `a queue that ${does} loses its own figure, and no other`,
      { skip: /memory|loops/.test(does) && skip },
      async () => {
        const result = await measureBeside(hostile(does), options)
        assert.ok(result instanceof SampleError, JSON.stringify(result))
        assert.match(result.message, message)
        assert.equal(result.kind, kind)
      }
    )
  }

  for (const does of [
    'stays open',
    'wraps send',
    'slows the clock',
    'stops the wall clock',
    'stops the date',
    'replaces map',
    'adds toJSON'
  ]) {
    test(`a queue that ${does} changes no figure`, async () => {
      const result = await measureBeside(hostile(does))
      assert.ok(!(result instanceof SampleError), String(result))
      // Its clock would make a thousandth of it.
      assert.ok(result.metrics.nsPerOp > 1 && result.metrics.nsPerOp < 1e6, `${result.metrics.nsPerOp} ns`)
    })
  }

  test('what a queue forks ends with its process', async t => {
    const folder = temporaryFolder(t)
    await measureBeside(hostile('forks', folder))
    const pids = readdirSync(folder).map(Number)
    assert.equal(pids.length, 1)
    assert.ok(await isGone(pids[0]))
  })

  test('what a queue forks and detaches does not hold up the run, though it holds stderr open', async t => {
    const folder = temporaryFolder(t)
    await measureBeside(hostile('forks and detaches', folder))
    const [pid] = readdirSync(folder).map(Number)
    // It is there still: nobody waited for its end.
    process.kill(pid, 'SIGKILL')
  })
})

describe('a queue that fires early has no figure', () => {
  const early = hostile('fires 50 ms early')
  const message = /^it fired a timer early: run `timerq check`$/
  const server = serverOf(early)
  const job = microJob(early, { ...TIMES, scenario: 'start-cancel' })

  for (const [what, measure] of Object.entries({
    'in a count': () => take('count', job),
    'of its slowest calls': () => take('alone', job),
    'behind a server': () => take('alone', server),
    "of a server's work": () => take('count', server),
    'in a heat of servers': async () => {
      const [result] = await runHttpHeat([{ job: server, runtime }], { timing: { seconds: 1, sliceMs: 100 }, pins })
      throw result
    }
  })) {
    test(what, () => assert.rejects(measure, { kind: 'wrong', message }))
  }
})

test('a queue that makes requests up has no figure', async () => {
  await assert.rejects(take('alone', serverOf(hostile('makes requests up'))), {
    kind: 'wrong',
    message: /^its server counted \d+ requests, and the load generator \d+: its figures cannot be trusted$/
  })
})

describe('before a run', () => {
  for (const { does, message } of [
    { does: 'exits at import', message: /hostile\.js.*: cannot be loaded: the process ended with exit code 0$/ },
    {
      does: 'loops at import',
      message: /hostile\.js.*: cannot be loaded: (used 3 s of CPU without an answer|gave no answer within 60 s)$/
    },
    { does: 'throws at import', message: /hostile\.js.*: cannot be loaded: not today$/ }
  ]) {
    test(`a queue that ${does} is refused, and named`, { skip: /loops/.test(does) && skip }, async () => {
      await assert.rejects(declarationOf(hostile(does)), error => {
        assert.match(/** @type {Error} */ (error).message, message)
        return /** @type {any} */ (error).exitCode === 2
      })
    })
  }

  for (const does of ['stays open', 'throws late', 'stops the date', 'replaces map']) {
    test(`a queue that ${does} does nothing to the process that asks what it declares`, async () => {
      assert.equal((await declarationOf(hostile(does))).name, 'hostile')
    })
  }
})

test(
  'the command names the queue that loops, keeps the figures of the other, and does not end with 0',
  { skip },
  async t => {
    const out = path.join(temporaryFolder(t), 'results')
    const { code, stderr } = await timerq(
      words`run --queue ${`${new URL(HOSTILE).pathname},binary-heap`} --scenario refresh-one-duration --preset ci
        --size 50 --rounds 1 --time-limit 1 --memory-limit 512 --out ${out}`,
      { env: { ...process.env, TIMERQ_HOSTILE: 'loops at work' } }
    )
    assert.equal(code, 4, stderr)
    assert.match(
      stderr,
      /timerq: hostile was too slow to measure \(refresh-one-duration: (used 1 s of CPU without an answer|gave no answer within 60 s)\): raise --time-limit/
    )
    const { run, samples } = readResults(out)
    assert.ok([...samples].some(({ queue, metrics }) => queue === 'binary-heap' && metrics.nsPerOp > 0))
    const { micro, serverLimitMs, memoryMb } = /** @type {any} */ (run.plan.settings)
    assert.deepEqual([micro.limitMs, micro.exactLimitMs, serverLimitMs, memoryMb], [1000, 1000, 1000, 512])
  }
)

test('what a queue has forked and detached ends with the command', { skip }, async t => {
  const folder = temporaryFolder(t)
  await declareElsewhere(hostile('forks and detaches', folder)).ended
  const [pid] = readdirSync(folder).map(Number)
  assert.ok(pid > 0)
  assert.ok(await isGone(pid))
})

test('a queue in an endless loop ends soon after its runner is killed', { skip }, async t => {
  const folder = temporaryFolder(t)
  const looping = path.join(folder, 'looping.mjs')
  writeFileSync(
    looping,
    `import { writeFileSync } from 'node:fs'
export * from ${JSON.stringify(GOOD)}
writeFileSync(${JSON.stringify(path.join(folder, 'pid-'))} + process.pid, '')
for (;;);
`
  )
  const { runner, ended } = declareElsewhere(`file://${looping}`)
  const started = () => readdirSync(folder).find(name => name.startsWith('pid-'))
  while (!started() && existsSync(folder)) await sleep(10)
  const pid = Number(started()?.slice('pid-'.length))
  runner.kill('SIGKILL')
  await ended
  assert.ok(await isGone(pid))
})
