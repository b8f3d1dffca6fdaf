/**
 * One plan for all claims: the cells of their conditions. Each is measured once a round, for all claims that need it.
 */
import { loadOwnMeta, loadOwnScenario } from '../measure/modules/own-modules.js'
import { planScenario } from '../plan/scenarios.js'
import { cellOf, specsIn } from './observe.js'
/** @import { CellSpec, Claim, Preset } from '../../scenarios/claims/claim.js' */
/** @import { Plan, PlannedQueue } from '../plan/plan.js' */
/** @import { Runtime } from '../processes/child.js' */

/**
 * @typedef {object} Catalogue  Modules and programs by name.
 * @property {(name: string) => Omit<PlannedQueue, 'meta'>} queue
 * @property {(name: string) => {name: string, url: string}} scenario
 * @property {(flags: string) => Promise<Runtime>} runtime
 */

/**
 * @param {Claim[]} claims
 * @param {Pick<Plan, 'settings' | 'end' | 'of'>} measured
 * @param {Catalogue} catalogue
 * @returns {Promise<Plan>}
 */
export async function planClaims (claims, { settings, end, of }, catalogue) {
  const conditions = claims.filter(({ excluded }) => !excluded).flatMap(({ holds }) => holds)
  const specs = conditions.flatMap(specsIn)
  const distinct = (/** @type {(spec: CellSpec) => string} */ read) => [...new Set(specs.map(read))]
  const parts = {
    // No claim is about the slowest calls.
    settings: { ...settings, micro: { ...settings.micro, tailMs: 0 } },
    queues: await Promise.all(
      distinct(({ queue }) => queue).map(async name => {
        const entry = catalogue.queue(name)
        return { ...entry, meta: await loadOwnMeta(entry.url) }
      })
    ),
    scenarios: await Promise.all(
      distinct(({ scenario }) => scenario).map(async name => {
        const { url } = catalogue.scenario(name)
        const scenario = await loadOwnScenario(url)
        return planScenario(scenario, url, firstValues(scenario.presets[/** @type {Preset} */ (settings.preset)]))
      })
    ),
    runtimes: await Promise.all(distinct(({ flags = '' }) => flags).map(catalogue.runtime))
  }
  const cells = [...new Map(specs.map(spec => cellOf(parts, spec)).map(cell => [cell.id, cell])).values()]
  const reproduce = { claims: claims.map(({ id }) => id) }
  return { question: 'reproduce', ...parts, end, cells, of: { ...of, reproduce } }
}

/** @param {Record<string, number[]>} values */
const firstValues = values => Object.fromEntries(Object.entries(values).map(([name, [value]]) => [name, [value]]))
