/** A cell: scenario x parameters x queue x runtime. What one number describes, and what a row of a comparison is about. */

/**
 * @typedef {object} CellPlace  Where something was measured.
 * @property {string} scenario
 * @property {Record<string, number>} params
 * @property {string} queue
 * @property {string} runtime
 *
 * @typedef {CellPlace & {id: string}} Cell  `id` names the cell in every file.
 */

/**
 * @param {CellPlace} place
 * @returns {Cell}
 */
export function createCell ({ scenario, params, queue, runtime }) {
  return { id: cellId({ scenario, params, queue, runtime }), scenario, params, queue, runtime }
}

/**
 * The same in every run: dashboards follow it.
 *
 * @param {CellPlace} place
 */
export function cellId ({ scenario, params, queue, runtime }) {
  const settings = Object.entries(params).map(([name, value]) => `${name}=${value}`)
  return [scenario, ...settings, queue, runtime].join(' ')
}

/**
 * Names the table that a cell belongs to: all queues on one scenario with the same parameters and runtime. They are
 * compared with each other.
 *
 * @param {Omit<CellPlace, 'queue'>} place
 */
export function tableId ({ scenario, params, runtime }) {
  return cellId({ scenario, params, queue: '*', runtime })
}
