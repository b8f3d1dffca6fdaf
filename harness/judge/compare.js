/**
 * Compares two runs, or two queues of one run, cell by cell. Incomparable cells become invalid rows, or are listed with
 * the reason.
 *
 * Queues of one run share heats or rounds, so their times are compared. Between two runs the machine may change, which
 * would look like a change of the code: for runs only counts decide.
 */
import { placeOfCell, tableId } from '../model/cell.js'
import { groupBy } from '../model/group-by.js'
import { machinesOf } from '../model/machine.js'
import { controlsOf } from '../plan/plan.js'
import { assertOtherSamples, differences, otherConditions, otherWork } from './comparable.js'
import { countRows, errorRows, invalidRow, measuredRows, wasCounted } from './rows.js'
import { judge, overallVerdict } from './verdict.js'

/**
 * @import { CellPlace } from '../model/cell.js'
 * @import { Results } from '../store/results.js'
 * @import { Cell } from '../model/cell.js'
 * @import { Match, SideOptions } from './rows.js'
 * @import { Comparison, Rules, Verdict } from './verdict.js'
 *
 * @typedef {{ratio: number, low: number, high: number, pairs: number, moved: boolean}} Control The base against itself,
 *   measured among the pairs; `moved`: the base differs from itself, so the run is contaminated.
 *
 * @typedef {object} ComparisonRecord
 * @property {'timerq-comparison/1'} format
 * @property {Verdict} verdict
 * @property {string} base
 * @property {string} head
 * @property {Rules} rules
 * @property {Comparison[]} comparisons
 * @property {(CellPlace & {reason: string})[]} unmatched
 * @property {Control | null} control
 * @property {string[]} [unmeasured]  Changes that cannot have been measured, as both sides ran the same code: no pass.
 * @property {string[]} [shared]  Code outside of the repository that both sides ran.
 * @property {string[]} warnings
 * @property {string[]} command
 */

const ONE_AFTER_THE_OTHER =
  'runs measured one after the other cannot decide on time; timerq gate measures both sides together'

/**
 * @param {Results} base
 * @param {Results} head
 * @param {{rules: Rules, command: string[], allowMissing?: boolean}} options `allowMissing`: lists cells that only the
 *   base has, which are invalid otherwise.
 * @returns {ComparisonRecord}
 * @throws {UsageError} when both hold the same samples
 */
export function compareRuns (base, head, { rules, command, allowMissing = false }) {
  assertOtherSamples(base, head)
  const matched = cellsIn(base, head)
  const machines = machinesOf(base.run, head.run)
  const isSameMachine = machines.length === 1
  const whyOther = otherWork(base, head)
  const conditions = isSameMachine ? otherConditions(base, head) : []
  const matches = matchesOf(
    matched.both.filter(cell => !whyOther(cell)),
    base,
    head
  )
  const timed =
    isSameMachine && conditions.length === 0 ? judgeTimes(matches, { isSameQueue: true, areRuns: true }, rules) : []
  const gates = base.run.plan.settings.countSeed === head.run.plan.settings.countSeed
  const comparisons = [
    ...(conditions.length > 0
      ? matches.map(({ cell }) => invalidRow(cell, `times are not compared: ${conditions.join(', ')}`))
      : []),
    ...timed.map(undecided),
    ...matches.filter(wasCounted).flatMap(match => countRows(match, { gates })),
    ...matched.both.flatMap(cell => (whyOther(cell) ? [invalidRow(cell, String(whyOther(cell)))] : [])),
    ...(allowMissing ? [] : matched.inBase.map(cell => invalidRow(cell, `only in ${base.directory}`)))
  ]
  const listed = (/** @type {CellPlace[]} */ cells, /** @type {string} */ reason) =>
    cells.map(cell => ({ ...placeOfCell(cell), reason }))
  const untimed = isSameMachine ? [] : matches.filter(match => !wasCounted(match)).map(({ cell }) => cell)
  const unmatched = [
    ...listed(untimed, 'only timed, and times of different machines are not compared'),
    ...listed(allowMissing ? matched.inBase : [], `only in ${base.directory}`),
    ...listed(matched.inHead, `only in ${head.directory}`)
  ]
  return {
    ...recordOf(comparisons, unmatched, rules, command),
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
 * @param {Results} base
 * @param {Results} head
 */
function cellsIn ({ run: { plan: base } }, { run: { plan: head } }) {
  const [inBase, inHead] = [base, head].map(({ cells }) => new Set(cells.map(({ id }) => id)))
  return {
    both: base.cells.filter(({ id }) => inHead.has(id)),
    inBase: base.cells.filter(({ id }) => !inHead.has(id)),
    inHead: head.cells.filter(({ id }) => !inBase.has(id))
  }
}

/**
 * @param {Cell[]} cells
 * @param {Results} base
 * @param {Results} head
 * @returns {Match[]}
 */
function matchesOf (cells, base, head) {
  const [baseSamples, headSamples] = [base, head].map(({ samples }) => groupBy(samples, ({ cell }) => cell))
  return cells.map(cell => ({ cell, base: baseSamples.get(cell.id) ?? [], head: headSamples.get(cell.id) ?? [] }))
}

/**
 * @param {Match[]} matches
 * @param {SideOptions} sides
 * @param {Rules} rules
 */
function judgeTimes (matches, sides, rules) {
  return [
    ...judge(
      matches.flatMap(match => measuredRows(match, sides)),
      [],
      rules
    ),
    ...matches.flatMap(errorRows)
  ]
}

/**
 * @param {Comparison} row  Of two runs.
 * @returns {Comparison}
 */
function undecided (row) {
  return row.verdict === 'invalid'
    ? row
    : { ...row, verdict: 'inconclusive', detectable: null, morePairs: null, reason: ONE_AFTER_THE_OTHER }
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
  const tables = groupBy(
    plan.cells.filter(({ queue }) => queue === base || queue === head),
    tableId
  )
  const controls = controlsOf(plan)
  const samplesByCell = groupBy(results.samples, ({ cell }) => cell)
  const samplesIn = (/** @type {Cell | undefined} */ cell) => samplesByCell.get(cell?.id ?? '') ?? []
  /** @type {Match[]} */
  const matches = []
  const unmatched = []
  for (const [table, cells] of tables) {
    const [baseCell, headCell] = [base, head].map(name => cells.find(({ queue }) => queue === name))
    if (baseCell && headCell) {
      matches.push({
        cell: headCell,
        base: samplesIn(baseCell),
        head: samplesIn(headCell),
        control: samplesIn(controls.get(table))
      })
    } else unmatched.push({ ...placeOfCell(cells[0]), reason: `${baseCell ? head : base} was not measured here` })
  }
  // Queues count differently by nature: shown beside their times, as an explanation.
  const counts = matches
    .filter(wasCounted)
    .flatMap(match => countRows(match, { gates: false }))
    .filter(({ verdict }) => verdict !== 'invalid')
  const times = judgeTimes(matches, { isSameQueue: false, names: { base, head } }, rules)
  return { ...recordOf([...times, ...counts], unmatched, rules, command), base, head, warnings: results.warnings }
}

/**
 * @param {Comparison[]} comparisons
 * @param {ComparisonRecord['unmatched']} unmatched
 * @param {Rules} rules
 * @param {string[]} command
 */
export function recordOf (comparisons, unmatched, rules, command) {
  return {
    format: /** @type {const} */ ('timerq-comparison/1'),
    verdict: overallVerdict(comparisons),
    rules,
    comparisons,
    unmatched,
    control: null,
    command
  }
}
