/**
 * Claims of source documents, as data. harness/reproduce measures and judges them: the cells of conditions are the
 * plan.
 *
 * @typedef {'quick' | 'documented'} Preset
 *
 * @typedef {object} CellSpec
 * @property {string} scenario
 * @property {string} queue
 * @property {Record<string, number>} [params]  Parameters; default of each: the first value of the scenario's preset.
 * @property {string} [flags]  Flags of the measured Node.
 * @property {string} [label]  Name in the row; default: the queue.
 *
 * @typedef {object} Condition  Limits of a ratio, of a growth, or of one value. A condition without limits is only
 *   shown.
 * @property {string} metric
 * @property {CellSpec} of
 * @property {Compared} [to]  Default: the value itself is judged.
 * @property {string} [toMetric]  Metric of `to`; default: the same.
 * @property {{of: CellSpec, to: CellSpec}} [against]  Judges the ratio of two ratios.
 * @property {number} [growth]  Size of `of` in sizes of `to`. Limits then apply to e in cost ~ size ** e.
 * @property {number} [above]
 * @property {number} [below]
 *
 * @typedef {CellSpec | {lowest: CellSpec[]} | {highest: CellSpec[]}} Compared  A cell, or that of the lowest or
 *   highest median.
 *
 * @typedef {object} Claim
 * @property {string} id
 * @property {string} claim  A sentence.
 * @property {string} documented  Result of its author.
 * @property {Condition[]} holds  All must hold.
 * @property {number} [mayBeOpen]  Number of conditions that may stay undecided; default 0.
 * @property {string} [whyNot]  Known reason for a claim that does not hold.
 * @property {string} [excluded]  Reason why the claim cannot be measured here.
 */

export {}
