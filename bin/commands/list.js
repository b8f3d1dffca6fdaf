import { loadQueueMeta } from '../../harness/load-queue.js'
import { loadScenario } from '../../harness/load-scenario.js'
import { queues } from '../../queues/index.js'
import { renderList } from '../../reports/documents/list.js'
import { scenarios } from '../../scenarios/index.js'

export const command = 'list'
export const describe = 'Show queues and scenarios with what they declare'

/** @param {import('yargs').Argv} yargs */
export const builder = yargs => yargs.option('json', { type: 'boolean', describe: 'Print timerq-list/1' })

/** @param {{json?: boolean, streams: import('../main.js').Streams}} argv */
export async function handler ({ json, streams }) {
  const list = {
    format: 'timerq-list/1',
    queues: await Promise.all(queues.map(describeQueue)),
    scenarios: await Promise.all(scenarios.map(async ({ url }) => {
      const { name, title, kind, parameters, presets, source } = await loadScenario(url)
      return { name, title, kind, parameters, presets, source }
    }))
  }
  streams.stdout.write(json ? JSON.stringify(list, null, 2) + '\n' : renderList(list))
  return 0
}

/**
 * A peer whose package is not installed is listed with what it takes.
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
