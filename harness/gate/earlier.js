/**
 * A gate that measures the sides of an earlier one again, with other draws, perhaps on another machine. The sides are
 * the same by their hashes of git and of files.
 */
import { placeOfCell } from '../model/cell.js'
import { UsageError } from '../model/errors.js'
import { describeCell } from '../model/numbers.js'
import { readStopped } from '../run/continuation.js'
import { isCommitHere } from './revisions.js'
import { GateStopRule } from './stop-rule.js'

/** @import { Comparison, ComparisonRecord, Earlier } from '../judge/records.js' */
/** @import { CellPlace } from '../model/cell.js' */
/** @import { Results, Run } from '../store/results.js' */
/** @import { EarlierGate, GatePlan } from './gate-plan.js' */

/**
 * @param {string} directory
 * @returns {Results & {plan: GatePlan}}
 * @throws {UsageError} when it holds no gate of the command line that has ended
 */
export function readEarlier (directory) {
  const results = readStopped(directory, 'gate')
  const { ended } = results.run
  if (ended === null) throw new UsageError(`${directory} has not ended (timerq gate --resume ${directory})`)
  return { ...results, plan: /** @type {GatePlan} */ (results.run.plan) }
}

/**
 * @param {Pick<GatePlan, 'cells' | 'queues' | 'scenarios'>} plan  Plan that holds the hashes of its files.
 * @param {EarlierGate} earlier
 * @throws {UsageError} when it is not the plan of the earlier gate
 */
export function assertSamePlan ({ cells, queues, scenarios }, { directory }) {
  const { plan: before } = readEarlier(directory)
  // Another machine may have another Node.
  const idOf = (/** @type {CellPlace} */ { scenario, params, queue, side }) =>
    JSON.stringify([scenario, params, queue, side])
  const planned = new Set(cells.map(idOf))
  const lost = before.cells.find(cell => !planned.has(idOf(cell)))
  if (lost) {
    throw new UsageError(
      `${directory} measured ${lost.queue} on ${lost.scenario}, which is not measured here ` +
        '(the same folder and timerq are needed; else start a new gate)'
    )
  }
  const shared = [...queues, ...scenarios]
  const changed = [...before.queues, ...before.scenarios].find(({ name, sha256 }) =>
    shared.some(now => now.name === name && now.sha256 !== sha256)
  )
  if (changed) throw new UsageError(`${directory} was measured with another ${changed.name}: start a new gate`)
}

/**
 * @param {{root: string, trees: {head: string}}} gate
 * @param {EarlierGate} earlier
 * @throws {UsageError} when the head is not that of the earlier gate
 */
export function assertSameTrees ({ root, trees }, { directory }) {
  const before = readEarlier(directory).plan.of.gate
  if (before.trees?.head === trees.head) return
  const commit = before.headCommit
  const fetch = commit && !isCommitHere(root, commit) ? `git fetch origin ${commit} && ` : ''
  throw new UsageError(
    `the working tree is not the head that ${directory} measured ` +
      `(${commit ? `${fetch}git checkout ${commit}` : 'go back to it, which is in no commit'}, or start a new gate)`
  )
}

/**
 * @param {ComparisonRecord} record
 * @param {EarlierGate} earlier
 * @param {Pick<Run, 'environment' | 'plan'>} run  Run of the record.
 * @returns {Earlier}
 */
export function besideEarlier ({ verdict, comparisons }, { directory }, run) {
  const before = readEarlier(directory)
  const first = judgeEnded(before, before.plan)
  const rows = first.comparisons
    .filter(({ gates, exact }) => gates && !exact)
    .map(row => {
      const { metric, ratio, low, high, verdict } = row
      return { ...placeOfCell(row), metric, ratio, low, high, verdict }
    })
  const overlaps = rows.every(row => {
    const now = comparisons.find(
      ({ metric, ...place }) => metric === row.metric && describeCell(place) === describeCell(row)
    )
    return now !== undefined && startOf(now) <= endOf(row) && startOf(row) <= endOf(now)
  })
  return {
    directory,
    verdict: first.verdict,
    agrees: overlaps && first.verdict === verdict,
    rows,
    differences: differencesOf(before.run, run)
  }
}

/** @typedef {Pick<Comparison, 'low' | 'high'>} OpenInterval  An end that is null is open. */

const startOf = (/** @type {OpenInterval} */ { low }) => low ?? 0
const endOf = (/** @type {OpenInterval} */ { high }) => high ?? Infinity

/**
 * @param {Results} ended  Results of a gate.
 * @param {GatePlan} plan
 */
function judgeEnded ({ samples, run: { command } }, plan) {
  const stopRule = new GateStopRule(plan, { finished: samples })
  stopRule.see([...samples])
  return stopRule.judge(command)
}

/**
 * @param {Pick<Run, 'environment' | 'plan'>} before
 * @param {Pick<Run, 'environment' | 'plan'>} now
 */
function differencesOf (before, now) {
  const [first, second] = [before, now].map(factsOf)
  return Object.keys(first).flatMap(fact =>
    first[fact] === second[fact] ? [] : [{ fact, before: first[fact], now: second[fact] }]
  )
}

/**
 * @param {Pick<Run, 'environment' | 'plan'>} run
 * @returns {Record<string, string>}
 */
const factsOf = ({ environment: { cpu, cores, kernel, v8, timerq }, plan: { runtimes } }) => ({
  Node: runtimes.map(({ name }) => name).join(' and '),
  V8: v8,
  CPU: `${cores} x ${cpu}`,
  system: kernel,
  timerq
})
