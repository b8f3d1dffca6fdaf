/**
 * Modules that come with timerq. The process that measures may load them, to read `meta` or `scenario`. Modules of a
 * user are loaded only in the processes that are measured.
 */
import { missingPackage } from '../../model/errors.js'
/** @import { QueueMeta } from '../../../queues/contract.js' */
/** @import { HttpScenario, MicroScenario } from '../../../scenarios/contract.js' */

/** Folders of the modules that come with timerq. */
const OWN = ['../../../queues/', '../../../scenarios/', '../../../timers/'].map(
  folder => new URL(folder, import.meta.url).href
)

/** @param {string} url */
export function isOwn (url) {
  if (!URL.canParse(url)) return false
  // Resolves `..`, which could lead out of the folder.
  const { href } = new URL(url)
  return OWN.some(folder => href.startsWith(folder))
}

/**
 * @param {string} url  Module of a queue.
 * @returns {Promise<QueueMeta>}
 * @throws {UsageError} when an npm heap (queues/peers) needs a package that is not installed
 */
export async function loadOwnMeta (url) {
  const { meta } = await importOwn(url, 'queue')
  return meta
}

/**
 * @param {string} url  Module of a scenario.
 * @returns {Promise<MicroScenario | HttpScenario>}
 */
export async function loadOwnScenario (url) {
  const { scenario } = await importOwn(url, 'scenario')
  return scenario
}

/**
 * @param {string} url
 * @param {'queue' | 'scenario'} kind
 * @returns {Promise<any>}
 */
async function importOwn (url, kind) {
  if (!isOwn(url)) throw new Error(`${url} does not come with timerq: only a measured process may load it`)
  try {
    // eslint-disable-next-line no-restricted-syntax -- it is timerq's own, see above
    return await import(url)
  } catch (error) {
    throw missingPackage(/** @type {Error} */ (error), `${kind} "${nameOf(url)}"`) ?? error
  }
}

/**
 * The name of a file, or of an npm heap: `heap-js` for `peers/index.js?heap-js`.
 *
 * @param {string} url
 */
const nameOf = url => url.slice(Math.max(url.lastIndexOf('/'), url.lastIndexOf('?')) + 1).replace(/\.js$/, '')
