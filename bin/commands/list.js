/** `timerq list`: names of queues and scenarios, with what they declare. */
import { loadOwnMeta } from '../../harness/index.js'
import { queues } from '../../queues/index.js'
import { listDocument } from '../../reports/documents/list.js'
import { scenarios } from '../../scenarios/index.js'
import { describeScenarios } from '../plans/parts.js'

/** @import { QueueEntry } from '../../queues/index.js' */
/** @import { Console } from '../console.js' */
/** @import { ResolvedScenario } from '../request/catalogue.js' */

/** @type {(request: {json?: boolean, scenario?: ResolvedScenario[]}, console: Console) => Promise<number>} */
export async function handler (request, console) {
  const ofUser = (request.scenario ?? []).filter(({ isUsers }) => isUsers)
  const described = await describeScenarios(
    [...scenarios.map(entry => ({ ...entry, spec: entry.name })), ...ofUser],
    {}
  )
  const list = {
    format: 'timerq-list/1',
    queues: await Promise.all(queues.map(describeQueue)),
    scenarios: described.map(({ declared: { name, title, kind, parameters, presets, source } }) => ({
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
