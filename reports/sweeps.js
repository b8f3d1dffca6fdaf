/** The cells of a run by scenario and runtime, with the parameters swept there: for charts and tables along a sweep. */
import { controlIn, tableId } from '../harness/model/cell.js'
import { groupBy } from '../harness/model/group-by.js'
import { placeOf } from '../harness/model/numbers.js'
import { subjectOf } from '../harness/model/kinds.js'

/**
 * @import { CellSummary, Summary } from '../harness/judge/records.js'
 * @import { Subject } from '../harness/model/kinds.js'
 *
 * @typedef {object} Sweep
 * @property {string} scenario
 * @property {'micro' | 'http' | 'code'} kind
 * @property {Subject} subject
 * @property {string} runtime
 * @property {boolean} onlyRuntime  The run has one runtime, which reports do not name.
 * @property {[string, number[]][]} swept  Parameters and their values, ascending; the longest sweep first.
 * @property {string} control
 * @property {CellSummary[]} cells
 *
 * @typedef {object} Line  The cells along the longest sweep, everything else the same.
 * @property {Sweep} sweep
 * @property {string | null} parameter  null: nothing was swept.
 * @property {number[]} values
 * @property {Record<string, number>} others  The other swept parameters, fixed on this line.
 * @property {CellSummary[]} cells
 */

/**
 * @param {Summary} summary
 * @returns {Sweep[]}
 */
export function sweepsOf ({ scenarios, cells, settings }) {
  const runtimes = [...new Set(cells.map(({ runtime }) => runtime))]
  const sweeps = [...groupBy(cells, sweepId).values()]
  return scenarios.flatMap(({ name, kind, control, subject }) =>
    sweeps
      .filter(([{ scenario }]) => scenario === name)
      .map(own => {
        const [{ queue, params, metrics, warnings, ...place }] = own
        return {
          ...place,
          kind,
          subject: subjectOf({ kind, control, subject }),
          onlyRuntime: runtimes.length === 1,
          swept: sweptOf(own),
          control: controlIn(settings, { kind, control }) ?? '',
          cells: own
        }
      })
  )
}

/** @param {{scenario: string, runtime: string}} place */
const sweepId = place => tableId({ ...place, params: {} })

/** @param {CellSummary[]} cells */
function sweptOf (cells) {
  return Object.keys(cells[0].params)
    .map(
      name =>
        /** @type {[string, number[]]} */ ([
          name,
          [...new Set(cells.map(({ params }) => params[name]))].sort((a, b) => a - b)
        ])
    )
    .filter(([, { length }]) => length > 1)
    .sort(([, a], [, b]) => b.length - a.length)
}

/**
 * @param {Sweep} sweep
 * @returns {Line[]}
 */
export function linesOf (sweep) {
  const [[parameter, values] = [null, []], ...more] = sweep.swept
  return combinationsOf(more).map(others => ({
    sweep,
    parameter,
    values,
    others,
    cells: sweep.cells.filter(({ params }) => isAt(params, others))
  }))
}

/**
 * @param {[string, number[]][]} swept
 * @returns {Record<string, number>[]}
 */
export function combinationsOf (swept) {
  return swept.reduce(
    (/** @type {Record<string, number>[]} */ partial, [name, values]) =>
      partial.flatMap(fixed => values.map(value => ({ ...fixed, [name]: value }))),
    [{}]
  )
}

/**
 * @param {Record<string, number>} params
 * @param {Record<string, number>} fixed
 */
export const isAt = (params, fixed) => Object.entries(fixed).every(([name, value]) => params[name] === value)

/**
 * A scenario swept over two parameters or more is shown as a map, not as curves.
 *
 * @param {Sweep} sweep
 */
export const isMapped = ({ swept }) => swept.length > 1

/**
 * Parameters that stay the same along a line, and its runtime where there are several.
 *
 * @param {Line} line
 */
export const nameOf = ({ sweep, others }) =>
  placeOf({ params: others, runtime: sweep.onlyRuntime ? undefined : sweep.runtime })

/** @param {string} parameter */
export const parameterTitle = parameter => (parameter === 'size' ? 'pending timers' : parameter)
