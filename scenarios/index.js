/**
 * Scenarios by their names on the command line. Modules are given by URL and loaded where they are used.
 *
 * @typedef {object} ScenarioEntry
 * @property {string} name
 * @property {string} url
 * @property {string[]} uses  Where it is measured if no scenario is named: `usual` in a run, `sketched`, `gated`,
 *   `counted` in a gate but not timed there, `profiled`, and `replayed` where a trace is given.
 */

/** @type {(name: string, uses?: string) => ScenarioEntry} */
const listed = (name, uses = '') => ({
  name,
  url: new URL(`./${name}.js`, import.meta.url).href,
  uses: uses.split(' ')
})

/** @type {ScenarioEntry[]} */
export const scenarios = [
  listed('refresh-one-duration', 'usual sketched gated'),
  listed('staggered-expiry', 'usual sketched gated'),
  listed('start-cancel', 'usual sketched gated'),
  listed('come-and-go', 'gated'),
  listed('fill', 'gated'),
  listed('crowd', 'gated'),
  listed('mixed'),
  listed('nearer', 'counted'),
  listed('one-timer-poll'),
  listed('drain-small'),
  listed('drain-empty'),
  listed('bursts'),
  listed('million-timers'),
  listed('distinct-durations-cancelled'),
  listed('far-future-cascade'),
  listed('intervals'),
  listed('hold'),
  listed('up-down'),
  listed('heap-operations'),
  listed('shortest-path'),
  listed('ready-job'),
  listed('timer-per-key'),
  listed('acknowledge'),
  listed('ratas'),
  listed('trace', 'replayed'),
  listed('keep-alive', 'usual profiled'),
  listed('modern-keep-alive'),
  listed('timeouts'),
  listed('timeouts-one-in-ten'),
  listed('idle-sockets'),
  listed('files-async'),
  listed('files-cluster'),
  listed('garbage')
]
