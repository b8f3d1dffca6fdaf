/** Processes of a command are killed one after another, and the command is continued. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { freePorts, listen } from '../ports.js'
import { faultsOf, kill, orphansIn, placesOf, WatchedRun } from './watched-run.js'

const RUNNER = 'runner'

/**
 * @typedef {object} Command  One that can be continued with --resume.
 * @property {string[]} args
 * @property {number[]} codes  With which it may end.
 * @property {number} failuresAllowed  Of a cell, which is not measured any more then.
 * @property {number} [servers]  That run at the same time.
 * @property {(t: import('node:test').TestContext) => string} [createFolder]  For what it runs in, if that is not empty.
 *
 * @typedef {import('./watched-run.js').Process} Process
 */

/**
 * Ends processes of a command with kill -9, one after another, and continues the command each time when it was its own.
 * Nothing is left running, no port bound and no sample lost; each kill costs one measurement at most; and in the end
 * there is what an unbroken command has.
 *
 * @param {import('node:test').TestContext} t
 * @param {object} options
 * @param {Command} options.command
 * @param {string[]} options.places  Of the samples of an unbroken one.
 * @param {number} options.kills  At most.
 * @param {(run: WatchedRun) => Promise<Process | null>} options.choose Waits for the moment, and chooses a process;
 *   null when the command ended before.
 * @returns {Promise<string[]>} what was killed
 */
export async function killProcesses (
  t,
  { command: { args, codes, failuresAllowed, servers = 0, createFolder }, places, kills, choose }
) {
  const port = servers > 0 ? await freePorts(servers) : 0
  const [name] = args
  const begin = [...args, ...(servers > 0 ? ['--port', String(port)] : [])]
  let run = new WatchedRun(t, begin, { folder: createFolder?.(t) })
  const file = path.join(run.out, 'samples.jsonl')
  /** @type {string[]} */
  const killed = []
  /**
   * Of this command, while its run was not over.
   *
   * @type {number[]}
   */
  const dead = []
  /**
   * Whole heats that were there when the command was killed.
   *
   * @type {string[][]}
   */
  const finished = []
  while (killed.length < kills) {
    const victim = await choose(run)
    if (!victim) break
    kill(victim.pid, 'SIGKILL')
    killed.push(victim.pid === run.pid ? RUNNER : victim.command)
    if (victim.pid !== run.pid) continue
    if ((await run.end()) !== 'SIGKILL') break
    await assertNothingLeft(run, port, servers)
    finished.push(wholeHeats(file))
    const before = readRun(run.out)
    if (before?.ended === null) dead.push(run.pid)
    run = new WatchedRun(t, before ? [name, '--resume', run.out] : begin, { folder: run.folder })
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
 * @param {import('../../harness/store/results.js').Sample[]} samples
 * @param {string[]} places
 * @param {{kills: number, failuresAllowed: number}} options  `kills`: of measuring processes.
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

/**
 * The sides of a gate are given up together.
 *
 * @param {string} cell
 */
const withoutSide = cell => cell.replace(/ (base|head|control) /, ' ')

/**
 * @param {WatchedRun} run  That has ended.
 * @param {number} port  The first of as many as there are servers.
 * @param {number} servers
 */
async function assertNothingLeft (run, port, servers) {
  assert.deepEqual(await orphansIn(run.folder), [])
  for (let i = 0; i < servers; i++) assert.equal(await listen(port + i), port + i)
}

/**
 * @param {string} directory
 * @returns {import('../../harness/store/results.js').Run | null} null where nothing has begun
 */
function readRun (directory) {
  const file = path.join(directory, 'run.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null
}

/**
 * Lines of samples that were written to their end, and with them all others of their heat.
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
