/** A run whose queues have other names. */
import { cellId } from '../../harness/model/cell.js'

/**
 * A run whose names were chosen by somebody who means no good: of its first queue, its first scenario, and what failed.
 *
 * @param {import('../../harness/store/results.js').Results} results
 * @param {string} name
 * @param {string} [scenario]
 * @returns {import('../../harness/store/results.js').Results}
 */
export function renamed (results, name, scenario = `scenario ${name}`) {
  const { run, samples } = results
  const victims = new Map([
    [run.plan.queues[1].name, name],
    [run.plan.scenarios[0].name, scenario]
  ])
  const copy = JSON.parse(JSON.stringify({ run, samples: [...samples] }), (_key, value) => victims.get(value) ?? value)
  copy.run.plan.queues[1].meta.title = name
  copy.run.command.push(name)
  copy.run.id = name
  Object.assign(copy.samples.at(-1), { metrics: {}, failure: { kind: 'crash', message: name } })
  copy.samples[0].warnings.push({ kind: 'lost', text: name })
  for (const cell of copy.run.plan.cells) cell.id = cellId(cell)
  for (const sample of copy.samples) sample.cell = cellId(sample)
  return { ...copy, samples: copy.samples, directory: name, warnings: [name] }
}
