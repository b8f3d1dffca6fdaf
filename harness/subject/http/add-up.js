/** Figures that percentiles and times of several processes cannot be added to: the worst worker's stands for all. */
const WORST = ['windowMs', 'longestMs', 'latenessP50Ms', 'latenessP99Ms', 'latenessMaxMs']

/**
 * Adds up the counters of a cluster's workers by name, as if one process had done all the work. The utilisation of the
 * event loops may then be above 1.
 *
 * @param {any[]} parts  Replies of server.js, or their parts; a missing name counts 0.
 * @returns {any}
 */
export function addUp (parts) {
  const names = new Set(parts.flatMap(Object.keys))
  return Object.fromEntries([...names].map(name => [name, total(name, parts.flatMap(part => part[name] ?? []))]))
}

/**
 * @param {string} name
 * @param {any[]} values  Values of the workers; none if no worker has the part, such as timers without a queue.
 */
function total (name, values) {
  if (values.length === 0) return null
  if (typeof values[0] === 'object') return addUp(values)
  return WORST.includes(name) ? Math.max(...values) : values.reduce((sum, value) => sum + value, 0)
}
