/**
 * Claims of published sources, as data. harness/reproduce measures the cells that their conditions name, and judges
 * them.
 *
 * @typedef {'quick' | 'documented'} Preset
 *
 * @typedef {{preset: Preset, cores: number}} Machine  `preset` decides the sizes; `cores` of this machine.
 *
 * @typedef {(machine: Machine) => Claim[]} Document  Claims of a document.
 *
 * @typedef {object} CellSpec
 * @property {string} scenario
 * @property {string} queue
 * @property {Record<string, number>} [params]  Parameters; each defaults to the first value of the scenario's preset.
 * @property {string} [flags]  Flags of the measured Node.
 * @property {string} [label]  Name in the row; default: the queue.
 *
 * @typedef {object} Condition  Limits of a ratio, of a growth, or of one value. A condition without limits is only
 *   shown.
 * @property {string} metric
 * @property {CellSpec} of  The cell that is judged, or the numerator.
 * @property {Compared} [to]  Denominator of the ratio; default: none, the value of `of` is judged.
 * @property {string} [toMetric]  Metric of `to`; default: `metric`.
 * @property {{of: CellSpec, to: CellSpec}} [against]  A second ratio, by which the first is divided.
 * @property {number} [growth]  Size of `of` divided by that of `to`. Limits then apply to e in cost ~ size ** e.
 * @property {number} [above]
 * @property {number} [below]
 *
 * @typedef {CellSpec | {lowest: CellSpec[]} | {highest: CellSpec[]}} Compared  A cell, or the cell with the lowest
 *   or highest median.
 *
 * @typedef {object} Claim
 * @property {string} id
 * @property {string} claim  A sentence.
 * @property {string} documented  Result that the source gives.
 * @property {Condition[]} holds  All must hold.
 * @property {number} [mayBeOpen]  Number of conditions that may stay undecided; default 0.
 * @property {string} [whyNot]  Known reason for a claim that does not hold.
 * @property {string} [excluded]  Reason why the claim cannot be measured here.
 */

export {}
