import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePorts, kill, listen, orphansIn, placesOf, SMALL_RUN, WatchedRun } from './watched-run.js'

const SERVERS = 2

/**
 * Ends one process of a run with kill -9, and continues the run. Nothing is left running, no port bound and no sample lost,
 * and in the end the run has what an unbroken one has.
 *
 * @param {import('node:test').TestContext} t
 * @param {object} options
 * @param {string[]} [options.args]
 * @param {string[]} options.places  Of the samples of an unbroken run.
 * @param {(run: WatchedRun) => Promise<{pid: number, command: string} | null>} options.choose  Waits for the moment, and
 *   chooses a process; null when the run ended before.
 * @returns {Promise<string | null>} what was killed
 */
export async function killRound (t, { args = SMALL_RUN, places, choose }) {
  const port = await freePorts(SERVERS)
  const run = new WatchedRun(t, [...args, '--port', String(port)])
  const victim = await choose(run)
  if (victim) kill(victim.pid, 'SIGKILL')
  const code = await run.end()
  const isRunner = victim?.pid === run.pid
  assert.ok(isRunner ? code === 'SIGKILL' || code === 0 : code === 0 || code === 4, `exit code ${code}: ${run.stderr}`)
  assert.doesNotMatch(run.stderr, /^\s+at /m, 'no stack trace')
  assert.deepEqual(await orphansIn(run.folder), [])
  for (let i = 0; i < SERVERS; i++) assert.equal(await listen(port + i), port + i)

  const file = path.join(run.out, 'samples.jsonl')
  const finished = wholeLines(file)
  const resumed = new WatchedRun(t, existsSync(path.join(run.out, 'run.json')) ? ['run', '--resume', run.out] : args, { folder: run.folder })
  assert.ok([0, 4].includes(Number(await resumed.end())), resumed.stderr)
  // Heats of which only a part is there are measured again as a whole.
  const kept = wholeLines(file)
  const whole = finished.filter(line => isOfWholeHeat(line, finished))
  assert.deepEqual(kept.slice(0, whole.length), whole, 'every finished sample is still there')
  const samples = resumed.samples()
  // A cell that fails twice is given up: on a busy machine once by our hand, and once because a load came too late.
  const isGivenUp = (/** @type {string} */ place) => samples.filter(({ cell, failure }) => failure && place.endsWith(cell)).length > 1
  assert.deepEqual(placesOf(samples), places.filter(place => placesOf(samples).includes(place) || !isGivenUp(place)), 'nothing is missing, and nothing there twice')
  assert.deepEqual(await orphansIn(run.folder), [])
  return victim && (isRunner ? 'runner' : victim.command)
}

/** Lets some of the run pass. @param {number} ms */
export const afterRandomTime = ms => async (/** @type {WatchedRun} */ run) => {
  await sleep(Math.random() * ms)
  return run.hasEnded ? null : { pid: run.pid, command: 'runner' }
}

/** @param {string} file */
function wholeLines (file) {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []
}

/**
 * @param {string} line
 * @param {string[]} lines
 */
function isOfWholeHeat (line, lines) {
  const { heat, heatSize } = JSON.parse(line)
  return heat === undefined || lines.filter(other => JSON.parse(other).heat === heat).length === heatSize
}
