/**
 * Kinds of scenarios, a row each, in the order in which they decide a ranking. What differs between kinds is a field
 * of a row, and code asks for the field.
 */

/**
 * @typedef {object} Kind
 * @property {boolean} [needsQueue]  Measures queues in one process by a virtual clock: built-in timers have none.
 * @property {boolean} [isServer]  Measures a server under load, which is timed beside no other step.
 * @property {boolean} [isCode]  Measures code of the user without a queue; files of such scenarios are the subject.
 *
 * @typedef {'queue' | 'task' | 'alternative' | 'workload' | 'entrant'} Subject  Word for what a run compares. Code and
 *   files call all of them queues.
 */

/** @type {Record<'micro' | 'http' | 'code', Kind>} */
export const kinds = {
  micro: { needsQueue: true },
  http: { isServer: true },
  code: { isCode: true }
}

/**
 * @param {{scenarios: {name: string, kind: keyof typeof kinds}[]}} plan
 * @returns {(cell: {scenario: string}) => Kind}
 */
export function kindIn ({ scenarios }) {
  const known = new Map(scenarios.map(({ name, kind }) => [name, kinds[kind]]))
  return ({ scenario }) => known.get(scenario) ?? {}
}

/** @param {{scenarios: {kind: keyof typeof kinds}[]}} plan */
export const usesServers = ({ scenarios }) => scenarios.some(({ kind }) => kinds[kind].isServer)

/**
 * @param {{kind: string, control?: string, subject?: Subject}} scenario  `subject`: its own word.
 * @returns {Subject}
 */
export function subjectOf ({ kind, control, subject }) {
  if (subject) return subject
  if (!kinds[/** @type {keyof typeof kinds} */ (kind)].isCode) return 'queue'
  return control === undefined ? 'workload' : 'alternative'
}

/**
 * Returns one word for the subjects of several scenarios.
 *
 * @param {Parameters<typeof subjectOf>[0][]} scenarios
 * @returns {Subject}
 */
export function subjectIn (scenarios) {
  const [first = 'queue', ...others] = new Set(scenarios.map(subjectOf))
  return others.length === 0 ? first : 'entrant'
}
