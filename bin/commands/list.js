import { loadQueueMeta } from '../../harness/measure/modules/load-queue.js'
import { loadScenario } from '../../harness/measure/modules/load-scenario.js'
import { queues } from '../../queues/index.js'
import { listDocument } from '../../reports/documents/list.js'
import { scenarios } from '../../scenarios/index.js'

/**
 * @param {{json?: boolean}} request
 * @param {import('../console.js').Console} console
 */
export async function handler (request, console) {
  const list = {
    format: 'timerq-list/1',
    queues: await Promise.all(queues.map(describeQueue)),
    scenarios: await Promise.all(scenarios.map(async ({ url }) => {
      const { name, title, kind, parameters, presets, source } = await loadScenario(url)
      return { name, title, kind, parameters, presets, source }
    }))
  }
  console.show(request, { document: () => listDocument(list, console.columns), value: list })
  return 0
}

/**
 * A peer whose package is not installed is listed with what it needs.
 *
 * @param {import('../../queues/index.js').QueueEntry} entry
 */
async function describeQueue ({ name, origin, url }) {
  try {
    return { origin, ...await loadQueueMeta(url) }
  } catch (error) {
    return { name, origin, missing: /** @type {Error} */ (error).message }
  }
}
