/** Ends any process of a command at any moment with kill -9, and continues the command: TIMERQ_SOAK_ROUNDS times. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { words } from '../bin/timerq.js'
import { project } from '../bin/project.js'
import { killProcesses } from '../faults/kill-processes.js'
import { MICRO_RUN, orphansIn, placesOf, skip, SMALL_GATE, WatchedRun } from '../faults/watched-run.js'

const ROUNDS = Number(process.env.TIMERQ_SOAK_ROUNDS ?? 200)
const MOST_FAILURES = 5
const TRACE = fileURLToPath(new URL('../fixtures/traces/websocket-heartbeats.trace', import.meta.url))
const BRIEFLY = words`--preset ci --rounds 1 --seed 1`

/** @type {Record<string, import('../faults/kill-processes.js').Command>} */
const COMMANDS = {
  'heats and counts': { args: MICRO_RUN, codes: [0, 4], failuresAllowed: 2 },
  'a gate': {
    args: SMALL_GATE,
    // Two heats decide nothing; a side that was killed makes the gate invalid, never a regression.
    codes: [3, 4],
    failuresAllowed: 1,
    createFolder: t => project(t).root
  },
  servers: {
    args: words`run --scenario keep-alive --queue binary-heap,node --sweep connections=5 ${BRIEFLY}`,
    codes: [0, 4],
    failuresAllowed: 2,
    servers: 2
  },
  'a recommendation': {
    args: words`recommend --trace ${TRACE} --queue binary-heap --rounds 2 --seed 1`,
    codes: [0, 3, 4],
    failuresAllowed: 2
  },
  'a cluster': {
    args: words`run --scenario files-cluster --queue binary-heap,node ${BRIEFLY}`,
    codes: [0, 4],
    failuresAllowed: 2,
    servers: 1
  },
  'idle connections': {
    args: words`run --scenario idle-sockets --queue binary-heap,node ${BRIEFLY}`,
    codes: [0, 4],
    failuresAllowed: 2,
    servers: 2
  }
}

/**
 * So that a short soak has several commands, too, and in a long one the start of commands does not take most of the
 * time.
 */
const KILLS_OF_EACH = Math.min(8, Math.ceil(ROUNDS / Object.keys(COMMANDS).length))

test(`${ROUNDS} kills at random moments lose nothing and leave nothing behind`, { skip }, async t => {
  /** @type {Record<string, number>} */
  const survived = {}
  let left = ROUNDS
  let failures = 0
  const unbroken = new Map()
  while (left > 0 && failures < MOST_FAILURES) {
    for (const [what, command] of Object.entries(COMMANDS)) {
      if (left <= 0) break
      failures++
      await t.test(`${what}, ${left} kills to go`, async t => {
        const { places, wholeMs } = unbroken.get(what) ?? unbroken.set(what, await runUnbroken(t, command)).get(what)
        const kills = Math.min(left, KILLS_OF_EACH)
        const killed = await killProcesses(t, {
          command,
          places,
          kills,
          choose: atRandom((1.5 * wholeMs) / (KILLS_OF_EACH + 1))
        })
        for (const program of killed.map(kindOf)) survived[program] = (survived[program] ?? 0) + 1
        t.diagnostic(`killed: ${killed.map(kindOf).join(', ')}`)
        left -= killed.length
        failures--
      })
    }
  }
  t.diagnostic(`killed: ${JSON.stringify(survived)}`)
  assert.equal(failures, 0)
})

/**
 * @param {import('node:test').TestContext} t
 * @param {import('../faults/kill-processes.js').Command} command
 */
async function runUnbroken (t, { args, codes, createFolder }) {
  const start = performance.now()
  const run = new WatchedRun(t, args, { folder: createFolder?.(t) })
  assert.ok(codes.includes(Number(await run.end())), run.stderr)
  assert.deepEqual(await orphansIn(run.folder), [])
  return { places: placesOf(run.samples()), wholeMs: performance.now() - start }
}

/**
 * The command itself, or any process that measures, loads or watches. Programs that it asks before it measures, such as
 * git, end it with one line.
 *
 * @param {number} longestMs
 */
const atRandom = longestMs => async (/** @type {WatchedRun} */ run) => {
  // While it starts, it is alone with its reaper: half of the kills come later.
  if (Math.random() < 0.5) await run.until(() => run.processes().length > 2)
  await sleep(Math.random() * longestMs)
  const processes = run.processes().filter(({ pid, command }) => pid === run.pid || /harness\/|wrk -t/.test(command))
  return processes[Math.floor(Math.random() * processes.length)] ?? null
}

/** @param {string} command */
const kindOf = command =>
  /runner|reaper|[\w-]+\/[\w-]*(?:child|process|server|cluster|holder|program)(?=\.js)|wrk/.exec(command)?.[0] ??
  command
