/**
 * Scenarios by their names on the command line. Modules are given by URL and loaded where they are used.
 *
 * @typedef {object} ScenarioEntry
 * @property {string} name
 * @property {string} url
 * @property {string[]} uses  Commands that measure it where no scenario is named. `gate-counts`: a gate only counts it.
 */

/** @type {(name: string, uses?: string) => ScenarioEntry} */
const listed = (name, uses = '') => ({
  name,
  url: new URL(`./${name}.js`, import.meta.url).href,
  uses: uses.split(' ')
})

/** @type {ScenarioEntry[]} */
export const scenarios = [
  listed('refresh-one-duration', 'run sketch gate'),
  listed('staggered-expiry', 'run sketch gate'),
  listed('start-cancel', 'run sketch gate'),
  listed('come-and-go', 'gate'),
  listed('fill', 'gate'),
  listed('crowd', 'gate'),
  listed('mixed'),
  listed('nearer', 'gate-counts'),
  listed('one-timer-poll'),
  listed('drain-small'),
  listed('drain-empty'),
  listed('bursts'),
  listed('million-timers'),
  listed('distinct-durations-cancelled'),
  listed('far-future-cascade'),
  listed('deep-cascade'),
  listed('intervals'),
  listed('hold'),
  listed('up-down'),
  listed('heap-operations'),
  listed('shortest-path'),
  listed('ready-job'),
  listed('timer-per-key'),
  listed('acknowledge'),
  listed('ratas'),
  listed('trace'),
  listed('keep-alive', 'run profile'),
  listed('modern-keep-alive'),
  listed('timeouts'),
  listed('timeouts-one-in-ten'),
  listed('idle-sockets'),
  listed('files-async'),
  listed('files-cluster'),
  listed('garbage')
]
