/**
 * Ends any process of a command at any moment with kill -9, and continues the command: TIMERQ_SOAK_ROUNDS times.
 *
 * @import { TestContext } from 'node:test'
 * @import { Run, Sample } from '../../harness/store/results.js'
 *
 * @typedef {object} Command  A command that --resume can continue.
 * @property {string[]} args
 * @property {number[]} codes  Exit codes that are allowed.
 * @property {number} failuresAllowed  Failures after which a cell is not measured any more.
 * @property {number} [servers]  Servers that run at the same time.
 * @property {(t: TestContext) => string} [createFolder]  Makes the working directory; empty by default.
 */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { againOf } from '../../bin/request/again.js'
import { words } from '../bin/timerq.js'
import { project } from '../bin/project.js'
import { faultsOf, kill, MICRO_RUN, orphansIn, placesOf, skip, SMALL_GATE, WatchedRun } from '../faults/watched-run.js'
import { freePorts, listen } from '../ports.js'

const ROUNDS = Number(process.env.TIMERQ_SOAK_ROUNDS ?? 200)
const MOST_FAILURES = 5
const TRACE = fileURLToPath(new URL('../fixtures/traces/websocket-heartbeats.trace', import.meta.url))
const BRIEFLY = words`--preset ci --rounds 1 --seed 1`

const RUNNER = 'runner'

/** @type {Record<string, Command>} */
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

/** Few, so that a short soak has several commands, too; in a long soak, starting commands must not take most time. */
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
          longestMs: (1.5 * wholeMs) / (KILLS_OF_EACH + 1)
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
 * @param {TestContext} t
 * @param {Command} command
 */
async function runUnbroken (t, { args, codes, createFolder }) {
  const start = performance.now()
  const run = new WatchedRun(t, args, { folder: createFolder?.(t) })
  assert.ok(codes.includes(Number(await run.end())), run.stderr)
  assert.deepEqual(await orphansIn(run.folder), [])
  return { places: placesOf(run.samples()), wholeMs: performance.now() - start }
}

/**
 * Waits, and chooses the command itself or any process that measures, loads or watches. Programs that the command asks
 * before it measures, such as git, would end it with one line.
 *
 * @param {WatchedRun} run
 * @param {number} longestMs
 * @returns null when the command ended before
 */
async function chooseAtRandom (run, longestMs) {
  // A command that starts is alone with its reaper: half of the kills come later.
  if (Math.random() < 0.5) await run.until(() => run.processes().length > 2)
  await sleep(Math.random() * longestMs)
  const processes = run.processes().filter(({ pid, command }) => pid === run.pid || /harness\/|wrk -t/.test(command))
  return processes[Math.floor(Math.random() * processes.length)] ?? null
}

/**
 * Ends processes of a command with kill -9, one after another. Each time that the command itself was killed, it is
 * continued. Afterwards no process is left, no port bound and no sample lost, each kill has cost one measurement at
 * most, and the results are those of an unbroken command.
 *
 * @param {TestContext} t
 * @param {object} options
 * @param {Command} options.command
 * @param {string[]} options.places  Places of the samples of an unbroken command.
 * @param {number} options.kills  Most kills.
 * @param {number} options.longestMs  Longest time between two kills.
 * @returns {Promise<string[]>} command lines of the killed processes
 */
async function killProcesses (
  t,
  { command: { args, codes, failuresAllowed, servers = 0, createFolder }, places, kills, longestMs }
) {
  const port = servers > 0 ? await freePorts(servers) : 0
  const [name] = args
  const begin = [...args, ...(servers > 0 ? ['--port', String(port)] : [])]
  let run = new WatchedRun(t, begin, { folder: createFolder?.(t) })
  const file = path.join(run.out, 'samples.jsonl')
  /** @type {string[]} */
  const killed = []
  /**
   * Ids of the command's own processes that were killed before their run was over.
   *
   * @type {number[]}
   */
  const dead = []
  /**
   * Samples of whole heats at each kill of the command.
   *
   * @type {string[][]}
   */
  const finished = []
  while (killed.length < kills) {
    const victim = await chooseAtRandom(run, longestMs)
    if (!victim) break
    kill(victim.pid, 'SIGKILL')
    killed.push(victim.pid === run.pid ? RUNNER : victim.command)
    if (victim.pid !== run.pid) continue
    if ((await run.end()) !== 'SIGKILL') break
    await assertNothingLeft(run, port, servers)
    finished.push(wholeHeats(file))
    const before = readRun(run.out)
    if (before?.ended === null) dead.push(run.pid)
    const again = [name, '--resume', run.out, ...againOf(['timerq', ...begin])]
    run = new WatchedRun(t, before ? again : begin, { folder: run.folder })
  }
  const code = await run.end()
  assert.ok(codes.includes(Number(code)), `exit code ${code}: ${run.stderr}`)
  assert.doesNotMatch(run.stderr, /^\s+at /m, 'no stack trace')
  if (dead.length > 0) {
    assert.match(
      run.stderr,
      new RegExp(`process (${dead.join('|')}), which wrote to .*, was killed: continuing its work$`, 'm'),
      'the lock is taken over'
    )
  }
  await assertNothingLeft(run, port, servers)
  const kept = wholeHeats(file)
  for (const lines of finished) {
    assert.deepEqual(kept.slice(0, lines.length), lines, 'every finished sample is still there')
  }
  const samples = run.samples()
  assert.equal(kept.length, samples.length, 'no sample was taken twice')
  assertCosts(samples, places, { kills: killed.filter(command => command !== RUNNER).length, failuresAllowed })
  return killed
}

/**
 * @param {Sample[]} samples
 * @param {string[]} places
 * @param {{kills: number, failuresAllowed: number}} options  `kills`: killed measuring processes.
 */
function assertCosts (samples, places, { kills, failuresAllowed }) {
  const failed = samples.filter(sample => faultsOf([sample]).length > 0)
  const costs = new Set(failed.map(({ heat, kind, round, cell }) => heat ?? `${kind} ${round} ${cell}`))
  assert.ok(costs.size <= kills, `${kills} kills cost ${[...costs].join(', ')}: ${faultsOf(samples).join('; ')}`)
  const isGivenUp = (/** @type {string} */ place) =>
    samples.filter(({ cell, failure }) => failure && withoutSide(place).endsWith(withoutSide(cell))).length >=
    failuresAllowed
  const taken = placesOf(samples)
  assert.deepEqual(
    taken,
    places.filter(place => taken.includes(place) || !isGivenUp(place)),
    'nothing is missing, and nothing there that was not planned'
  )
}

/** @param {string} cell  Cell of a gate, whose sides are given up together. */
const withoutSide = cell => cell.replace(/ (base|head|control) /, ' ')

/**
 * @param {WatchedRun} run  Run that has ended.
 * @param {number} port  Port of the first server; the others follow.
 * @param {number} servers
 */
async function assertNothingLeft (run, port, servers) {
  assert.deepEqual(await orphansIn(run.folder), [])
  for (let i = 0; i < servers; i++) assert.equal(await listen(port + i), port + i)
}

/**
 * @param {string} directory
 * @returns {Run | null} null where nothing has begun
 */
function readRun (directory) {
  const file = path.join(directory, 'run.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null
}

/**
 * Lines of samples whose heat was written to its end.
 *
 * @param {string} file
 */
function wholeHeats (file) {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []
  return lines.filter(line => {
    const { heat, heatSize } = JSON.parse(line)
    return heat === undefined || lines.filter(other => JSON.parse(other).heat === heat).length === heatSize
  })
}

/** @param {string} command */
const kindOf = command =>
  /runner|reaper|[\w-]+\/[\w-]*(?:child|process|server|cluster|holder|program)(?=\.js)|wrk/.exec(command)?.[0] ??
  command
