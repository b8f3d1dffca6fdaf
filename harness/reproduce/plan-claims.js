/**
 * One plan for all claims: the cells of their conditions. Each is measured once a round, for all claims that need it.
 */
import { loadOwnMeta, loadOwnScenario } from '../measure/modules/own-modules.js'
import { planScenario } from '../plan/scenarios.js'
import { cellOf, kindOf, specsIn } from './observe.js'
/** @import { CellSpec, Claim, Condition, Preset } from '../../scenarios/claims/claim.js' */
/** @import { Plan, PlannedQueue } from '../plan/plan.js' */
/** @import { Runtime } from '../processes/child.js' */
/** @import { CellGroup } from './groups.js' */

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
  const groups = groupConditions(conditions, parts, end.rounds)
  const reproduce = { claims: claims.map(({ id }) => id), groups }
  return { question: 'reproduce', ...parts, end, cells, of: { ...of, reproduce } }
}

/**
 * Groups of the cells that conditions compare with each other, directly or through a third: they share heats, or follow
 * each other.
 *
 * @param {Condition[]} conditions
 * @param {Pick<Plan, 'settings' | 'scenarios' | 'runtimes'>} parts
 * @param {number} rounds
 * @returns {CellGroup[]}
 */
function groupConditions (conditions, parts, rounds) {
  /** @type {CellGroup[]} */
  let groups = []
  for (const condition of conditions) {
    const kind = kindOf(parts, condition)
    const ids = specsIn(condition).map(spec => cellOf(parts, spec).id)
    const joins = (/** @type {CellGroup} */ group) => group.kind === kind && group.cells.some(id => ids.includes(id))
    const cells = new Set([...groups.filter(joins).flatMap(({ cells }) => cells), ...ids])
    groups = [
      ...groups.filter(group => !joins(group)),
      { kind, cells: [...cells], rounds: kind === 'count' ? 1 : rounds }
    ]
  }
  return groups
}

/** @param {Record<string, number[]>} values */
const firstValues = values => Object.fromEntries(Object.entries(values).map(([name, [value]]) => [name, [value]]))
