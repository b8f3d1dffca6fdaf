/**
 * Adds up what the workers of a cluster did in one window, as if one process had done it.
 *
 * @param {any[]} windows  As server.js returns them when a window is closed.
 */
export function sumWindows (windows) {
  const sum = (/** @type {string} */ name) => sumOf(windows, name)
  return {
    windowMs: Math.max(...windows.map(({ windowMs }) => windowMs)),
    requests: sum('requests'),
    connectedPeak: sum('connectedPeak'),
    userMicros: sum('userMicros'),
    systemMicros: sum('systemMicros'),
    // The sum over several event loops: above 1 when more than one is busy.
    eventLoopUtilization: sum('eventLoopUtilization'),
    collections: sumCollections(windows.map(({ collections }) => collections)),
    rssBytes: sum('rssBytes'),
    timers: windows[0].timers && sumTimers(windows.map(({ timers }) => timers))
  }
}

/**
 * @param {Record<string, number>[]} counts  By name; not every name is in every one.
 * @returns {Record<string, number>}
 */
export function addCounts (counts) {
  const names = new Set(counts.flatMap(Object.keys))
  return Object.fromEntries([...names].map(name => [name, sumOf(counts, name)]))
}

/** @param {Record<string, {count: number, pauseMs: number, longestMs: number}>[]} collections */
function sumCollections (collections) {
  const kinds = new Set(collections.flatMap(Object.keys))
  return Object.fromEntries([...kinds].map(kind => {
    const ofKind = collections.flatMap(counted => counted[kind] ?? [])
    const longestMs = Math.max(...ofKind.map(counted => counted.longestMs))
    return [kind, { count: sumOf(ofKind, 'count'), pauseMs: sumOf(ofKind, 'pauseMs'), longestMs }]
  }))
}

/**
 * Percentiles of several processes cannot be added: the worst worker's stands for all.
 *
 * @param {any[]} timers
 */
function sumTimers (timers) {
  const worst = (/** @type {string} */ name) => Math.max(...timers.map(counted => counted[name]))
  return {
    ...addCounts(timers),
    latenessP50Ms: worst('latenessP50Ms'),
    latenessP99Ms: worst('latenessP99Ms'),
    latenessMaxMs: worst('latenessMaxMs')
  }
}

/**
 * @param {any[]} counted
 * @param {string} name
 * @returns {number}
 */
function sumOf (counted, name) {
  return counted.reduce((total, counts) => total + (counts[name] ?? 0), 0)
}
