/** Words for what a run compares. Code and files call all of them queues. */

/** @typedef {'queue' | 'task' | 'alternative' | 'workload' | 'entrant'} Subject */

/**
 * @param {{kind: string, control?: string, subject?: Subject}} scenario  `subject`: its own word.
 * @returns {Subject}
 */
export function subjectOf ({ kind, control, subject }) {
  if (subject) return subject
  if (kind !== 'code') return 'queue'
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
