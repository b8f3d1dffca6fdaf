/**
 * Scenarios by their names on the command line. Modules are given by URL and loaded where they are used.
 *
 * @typedef {{name: string, url: string}} ScenarioEntry
 */

const NAMES = [
  'refresh-one-duration',
  'staggered-expiry',
  'start-cancel',
  'come-and-go',
  'fill',
  'crowd',
  'mixed',
  'nearer',
  'one-timer-poll',
  'drain-small',
  'drain-empty',
  'bursts',
  'million-timers',
  'distinct-durations-cancelled',
  'far-future-cascade',
  'deep-cascade',
  'intervals',
  'hold',
  'up-down',
  'heap-operations',
  'shortest-path',
  'ready-job',
  'timer-per-key',
  'acknowledge',
  'ratas',
  'trace',
  'keep-alive',
  'modern-keep-alive',
  'timeouts',
  'timeouts-one-in-ten',
  'idle-sockets',
  'files-async',
  'files-cluster',
  'garbage'
]

/** @type {ScenarioEntry[]} */
export const scenarios = NAMES.map(name => ({ name, url: new URL(`./${name}.js`, import.meta.url).href }))
