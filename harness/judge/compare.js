/**
 * Compares two runs, or two queues of one run, cell by cell. Incomparable cells become invalid rows, or are listed with
 * the reason.
 *
 * Queues of one run share heats or rounds, so their times are compared. Between two runs the machine may change, which
 * would look like a change of the code: for runs only counts decide.
 */
import { placeOfCell, tableId } from '../model/cell.js'
import { UsageError } from '../model/errors.js'
import { groupBy } from '../model/group-by.js'
import { machinesOf } from '../model/machine.js'
import { enumerate } from '../model/numbers.js'
import { subjectIn } from '../model/kinds.js'
import { controlsOf } from '../plan/plan.js'
import { assertOtherSamples, differences, otherConditions, otherWork } from './comparable.js'
import { judge, recordOf } from './decision.js'
import { samplesByCell } from './pairs.js'
import { countRows, errorRows, invalidRow, measuredRows, wasCounted } from './rows.js'

/**
 * @import { CellPlace } from '../model/cell.js'
 * @import { Results, Sample } from '../store/results.js'
 * @import { Comparison, ComparisonRecord, Rules } from './records.js'
 * @import { Match } from './rows.js'
 */

const ONE_AFTER_THE_OTHER =
  'runs measured one after the other cannot decide on time; timerq gate measures both sides together'

/**
 * @param {Results} base
 * @param {Results} head
 * @param {{rules: Rules, command: string[]}} options
 * @returns {ComparisonRecord}
 * @throws {UsageError} when both hold the same samples
 */
export function compareRuns (base, head, { rules, command }) {
  assertOtherSamples(base, head)
  const [baseCells, headCells] = [base, head].map(({ run }) => new Map(run.plan.cells.map(cell => [cell.id, cell])))
  const [baseSamples, headSamples] = [base, head].map(({ samples }) => samplesByCell(samples))
  const whyOther = otherWork(base, head)
  const onlyInBase = [...baseCells.values()].filter(({ id }) => !headCells.has(id))
  const onlyInHead = [...headCells.values()].filter(({ id }) => !baseCells.has(id))
  /** @type {Match[]} */
  const matches = []
  const refused = []
  for (const cell of baseCells.values()) {
    if (!headCells.has(cell.id)) continue
    const reason = whyOther(cell)
    if (reason) refused.push(invalidRow(cell, reason))
    else matches.push({ cell, base: baseSamples(cell).map(withoutHeat), head: headSamples(cell).map(withoutHeat) })
  }
  const counted = matches.filter(wasCounted)
  const machines = machinesOf(base.run, head.run)
  const isSameMachine = machines.length === 1
  const comparisons = [
    ...(isSameMachine ? timesOfRuns(matches, otherConditions(base, head), rules) : []),
    ...counted.flatMap(match => countRows(match, { gates: true, margin: rules.margin })),
    ...refused,
    ...onlyInBase.map(cell => invalidRow(cell, `only in ${base.directory}`))
  ]
  const untimed = isSameMachine ? [] : matches.filter(match => !wasCounted(match)).map(({ cell }) => cell)
  const unmatched = [
    ...listed(untimed, 'only timed, and times of different machines are not compared'),
    ...listed(onlyInHead, `only in ${head.directory}`)
  ]
  return {
    ...recordOf(comparisons, unmatched, rules, command),
    subject: subjectIn(head.run.plan.scenarios),
    base: base.directory,
    head: head.directory,
    warnings: [
      isSameMachine
        ? ONE_AFTER_THE_OTHER
        : `different machines (${machines.join('; ')}): times are not compared, only counts`,
      ...differences(base, head),
      ...base.warnings,
      ...head.warnings
    ]
  }
}

/**
 * Heats of two runs share names, but not time: their samples are paired by round.
 *
 * @param {Sample} sample
 * @returns {Sample}
 */
const withoutHeat = ({ heat, ...sample }) => sample

/**
 * @param {CellPlace[]} cells
 * @param {string} reason
 */
const listed = (cells, reason) => cells.map(cell => ({ ...placeOfCell(cell), reason }))

/**
 * @param {Match[]} matches  Cells of two runs on one machine.
 * @param {string[]} conditions  Conditions that differ.
 * @param {Rules} rules
 * @returns {Comparison[]}
 */
function timesOfRuns (matches, conditions, rules) {
  if (conditions.length > 0) {
    return matches.map(({ cell }) => invalidRow(cell, `times are not compared: ${conditions.join(', ')}`))
  }
  return judgeTimes(matches, rules).map(row =>
    row.verdict === 'invalid'
      ? row
      : { ...row, verdict: 'inconclusive', detectable: null, morePairs: null, reason: ONE_AFTER_THE_OTHER }
  )
}

/**
 * @param {Match[]} matches
 * @param {Rules} rules
 * @param {{base: string, head: string}} [queues]  See measuredRows.
 */
function judgeTimes (matches, rules, queues) {
  const rows = matches.flatMap(match => measuredRows(match, queues))
  return [...judge(rows, [], rules), ...matches.flatMap(errorRows)]
}

/**
 * @param {Results} results
 * @param {string} base  Name of a queue.
 * @param {string} head
 * @param {{rules: Rules, command: string[]}} options
 * @returns {ComparisonRecord}
 */
export function compareQueues (results, base, head, { rules, command }) {
  const { plan } = results.run
  const names = plan.queues.map(({ name }) => name)
  const unknown = [base, head].find(name => !names.includes(name))
  if (unknown !== undefined) throw new UsageError(`${results.directory} has no ${unknown} (it has ${enumerate(names)})`)
  const controls = controlsOf(plan)
  const samplesIn = samplesByCell(results.samples)
  const compared = plan.cells.filter(({ queue }) => queue === base || queue === head)
  /** @type {Match[]} */
  const matches = []
  const unmatched = []
  for (const [table, cells] of groupBy(compared, tableId)) {
    const [baseCell, cell] = [base, head].map(name => cells.find(({ queue }) => queue === name))
    if (baseCell && cell) {
      matches.push({
        cell,
        base: samplesIn(baseCell),
        head: samplesIn(cell),
        control: samplesIn(controls.get(table))
      })
    } else unmatched.push(...listed(cells, `${baseCell ? head : base} was not measured here`))
  }
  // Counts of different queues always differ: they are shown to explain the times, and decide nothing.
  const counts = matches
    .filter(wasCounted)
    .flatMap(match => countRows(match, { gates: false, margin: rules.margin }))
    .filter(({ verdict }) => verdict !== 'invalid')
  const times = judgeTimes(matches, rules, { base, head })
  return {
    ...recordOf([...times, ...counts], unmatched, rules, command),
    subject: subjectIn(plan.scenarios),
    base,
    head,
    warnings: results.warnings
  }
}
