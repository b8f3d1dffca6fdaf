/**
 * All scenarios with a name on the command line. Modules are given by URL and loaded where they are used.
 *
 * @typedef {{name: string, url: string}} ScenarioEntry
 */

/**
 * @param {string} name
 * @returns {ScenarioEntry}
 */
const entry = name => ({ name, url: new URL(`./${name}.js`, import.meta.url).href })

/** @type {ScenarioEntry[]} */
export const scenarios = [
  entry('refresh-one-duration'),
  entry('staggered-expiry'),
  entry('start-cancel'),
  entry('mixed'),
  entry('one-timer-poll'),
  entry('drain-small'),
  entry('drain-empty'),
  entry('bursts'),
  entry('million-timers'),
  entry('distinct-durations-cancelled'),
  entry('far-future-cascade'),
  entry('deep-cascade'),
  entry('hold'),
  entry('ready-job'),
  entry('timer-per-key'),
  entry('acknowledge'),
  entry('ratas'),
  entry('trace'),
  entry('keep-alive'),
  entry('modern-keep-alive'),
  entry('timeouts'),
  entry('timeouts-one-in-ten'),
  entry('idle-sockets'),
  entry('files-async'),
  entry('files-cluster'),
  entry('garbage')
]
