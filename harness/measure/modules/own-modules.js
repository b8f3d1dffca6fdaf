/**
 * Modules that come with timerq. The measuring process reads what they declare; modules of a user are loaded in
 * measured processes only.
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
  // The normalised URL has no `..` that leads elsewhere.
  const { href } = URL.canParse(url) ? new URL(url) : { href: '' }
  return OWN.some(folder => href.startsWith(folder))
}

/**
 * @param {string} url  Module of a queue.
 * @returns {Promise<QueueMeta>}
 * @throws {UsageError} when a peer needs a package that is not installed
 */
export async function loadOwnMeta (url) {
  const { meta } = await importOwn(url)
  return meta
}

/**
 * @param {string} url  Module of a scenario.
 * @returns {Promise<MicroScenario | HttpScenario>}
 */
export async function loadOwnScenario (url) {
  const { scenario } = await importOwn(url)
  return scenario
}

/**
 * @param {string} url
 * @returns {Promise<any>}
 */
async function importOwn (url) {
  if (!isOwn(url)) throw new Error(`${url} does not come with timerq: only a measured process may load it`)
  try {
    // eslint-disable-next-line no-restricted-syntax -- it is timerq's own, see above
    return await import(url)
  } catch (error) {
    throw missingPackage(/** @type {Error} */ (error), `queue "${nameOf(url)}"`) ?? error
  }
}

/**
 * The name of a file, or of a peer: `peers/index.js?heap-js`.
 *
 * @param {string} url
 */
const nameOf = url => url.slice(Math.max(url.lastIndexOf('/'), url.lastIndexOf('?')) + 1).replace(/\.js$/, '')
