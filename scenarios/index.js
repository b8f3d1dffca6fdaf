/**
 * Every scenario that has a name on the command line. Modules are named by URL and loaded where they are used.
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
  entry('keep-alive'),
  entry('timeouts')
]
