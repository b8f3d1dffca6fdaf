/**
 * A cell: scenario x parameters x queue x side x runtime. A number describes one cell; so does a row of a comparison.
 */

/**
 * @typedef {'base' | 'head' | 'control'} Side A gate compares head with base. The control is a second copy of the base,
 *   in a third folder.
 *
 * @typedef {object} CellPlace
 * @property {string} scenario
 * @property {Record<string, number>} params
 * @property {string} queue
 * @property {Side} [side]  Side of a gate.
 * @property {string} runtime
 *
 * @typedef {CellPlace & {id: string}} Cell  `id` names the cell in every file.
 */

/** Cells of a heat: more processes take longer to start than to measure. */
export const MOST_ENTRANTS = 8

/** @type {Side[]} */
export const SIDES = ['base', 'head', 'control']

/**
 * @param {CellPlace} cell
 * @returns {CellPlace} without other fields
 */
export function placeOfCell ({ scenario, params, queue, side, runtime }) {
  return { scenario, params, queue, ...(side && { side }), runtime }
}

/**
 * @param {CellPlace} place
 * @returns {Cell}
 */
export function createCell (place) {
  return { id: cellId(place), ...placeOfCell(place) }
}

/**
 * The same in every run: dashboards follow it.
 *
 * @param {CellPlace} place
 */
export function cellId ({ scenario, params, queue, side, runtime }) {
  const settings = Object.entries(params).map(([name, value]) => `${name}=${value}`)
  return [scenario, ...settings, queue, ...(side ? [side] : []), runtime].join(' ')
}

/**
 * Names the table that a cell belongs to: all queues of one side on one scenario with the same parameters and runtime.
 * Queues of one table are compared with each other.
 *
 * @param {Omit<CellPlace, 'queue'>} place
 */
export function tableId (place) {
  return cellId({ ...place, queue: '*' })
}

/**
 * Returns the control: the queue, or the alternative of a workload without a queue, that all ratios refer to.
 *
 * @param {{control?: Record<string, string>}} settings
 * @param {{kind: string, control?: string}} scenario
 */
export const controlIn = (settings, scenario) => scenario.control ?? settings.control?.[scenario.kind]
