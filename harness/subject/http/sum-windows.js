/**
 * Adds up the windows of a cluster's workers, as if one process had done all the work.
 *
 * @param {any[]} windows  Replies of server.js.
 */
export function sumWindows (windows) {
  const sum = (/** @type {string} */ name) => sumOf(windows, name)
  return {
    windowMs: Math.max(...windows.map(({ windowMs }) => windowMs)),
    requests: sum('requests'),
    connectedPeak: sum('connectedPeak'),
    userMicros: sum('userMicros'),
    systemMicros: sum('systemMicros'),
    // Above 1 when more than one event loop is busy.
    eventLoopUtilization: sum('eventLoopUtilization'),
    collections: sumCollections(windows.map(({ collections }) => collections)),
    rssBytes: sum('rssBytes'),
    timers: windows[0].timers && sumTimers(windows.map(({ timers }) => timers))
  }
}

/** @type {(counts: Record<string, number>[]) => Record<string, number>}  By name; a missing name counts 0. */
export function addCounts (counts) {
  const names = new Set(counts.flatMap(Object.keys))
  return Object.fromEntries([...names].map(name => [name, sumOf(counts, name)]))
}

/** @param {Record<string, {count: number, pauseMs: number, longestMs: number}>[]} collections */
function sumCollections (collections) {
  const kinds = new Set(collections.flatMap(Object.keys))
  return Object.fromEntries(
    [...kinds].map(kind => {
      const ofKind = collections.flatMap(counted => counted[kind] ?? [])
      const longestMs = Math.max(...ofKind.map(counted => counted.longestMs))
      return [kind, { count: sumOf(ofKind, 'count'), pauseMs: sumOf(ofKind, 'pauseMs'), longestMs }]
    })
  )
}

/**
 * Percentiles of several processes cannot be added: the worst worker's stands for all.
 *
 * @param {any[]} timers
 */
function sumTimers (timers) {
  const worst = Object.fromEntries(
    ['latenessP50Ms', 'latenessP99Ms', 'latenessMaxMs'].map(name => [
      name,
      Math.max(...timers.map(counted => counted[name]))
    ])
  )
  return { ...addCounts(timers), ...worst }
}

/** @type {(counted: any[], name: string) => number} */
const sumOf = (counted, name) => counted.reduce((total, counts) => total + (counts[name] ?? 0), 0)
