/** What is reached from the doors of the package, and how large sources are. */
import path from 'node:path'
import { tokenizer } from 'acorn'

/** Files that users start. */
const DOORS = /^(bin\/(timerq|index)\.js|queues\/[\w-]+\.js|timers\/.*|action\/.*|harness\/conformance\/index\.js)$/
/** Its rooms are reached where a file opens them. */
const ROOMS = 'harness/index.js'
const ROOM = /^ +(\w+): \(\) => import.*$/gm
const COMMENT = /\/\*[^]*?\*\//g
/** Modules by import, import() or URL: relative, or the end of a path. A part of the name may be computed. */
const MODULE = /(['`])([^'`\s]+\.js)\1/g

/**
 * @param {Map<string, string>} texts  Sources by file.
 * @returns {Set<string>} files that a door leads to
 */
export function reachedIn (texts) {
  const files = [...texts.keys()]
  const all = [...texts.values()].join('\n')
  /** @type {Set<string>} */
  const reached = new Set()
  const open = files.filter(file => DOORS.test(file))
  for (const file of open) {
    if (reached.has(file)) continue
    reached.add(file)
    const text = /** @type {string} */ (texts.get(file)).replace(COMMENT, '')
    const own = file === ROOMS ? text.replace(ROOM, (line, room) => (all.includes(`rooms.${room}(`) ? line : '')) : text
    for (const [, , module] of own.matchAll(MODULE)) {
      const isRelative = module.startsWith('.')
      const parts = (isRelative ? path.join(path.dirname(file), module) : `/${module}`).split(/\$\{[^}]*\}/)
      const end = new RegExp(`${isRelative ? '^' : ''}${parts.map(escaped).join('[^/]+')}$`)
      open.push(...files.filter(other => end.test(other)))
    }
  }
  return reached
}

/** @param {string} text */
const escaped = text => text.replace(/[.*+?^$()[\]{}|\\]/g, '\\$&')

/** @param {string} source */
export const tokensOf = source =>
  [...tokenizer(source, { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true })].length
