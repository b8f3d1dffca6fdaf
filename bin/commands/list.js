/** `timerq list`: names of queues and scenarios, with what they declare. */
import { loadOwnMeta, loadOwnScenario } from '../../harness/index.js'
import { queues } from '../../queues/index.js'
import { listDocument } from '../../reports/documents/list.js'
import { scenarios } from '../../scenarios/index.js'

/** @import { QueueEntry } from '../../queues/index.js' */
/** @import { Console } from '../console.js' */

/** @type {(request: {json?: boolean}, console: Console) => Promise<number>} */
export async function handler (request, console) {
  const declared = await Promise.all(scenarios.map(({ url }) => loadOwnScenario(url)))
  const list = {
    format: 'timerq-list/1',
    queues: await Promise.all(queues.map(describeQueue)),
    scenarios: declared.map(({ name, title, kind, parameters, presets, source }) => ({
      name,
      title,
      kind,
      parameters,
      presets,
      source
    }))
  }
  console.show(request, { document: () => listDocument(list, console.columns), value: list })
  return 0
}

/**
 * Lists a peer whose package is not installed with the package that it needs.
 *
 * @param {QueueEntry} entry
 */
async function describeQueue ({ name, origin, url }) {
  try {
    return { origin, ...(await loadOwnMeta(url)) }
  } catch (error) {
    return { name, origin, missing: /** @type {Error} */ (error).message }
  }
}
