/** What is reached from the doors of the package, and how large sources are. */
import path from 'node:path'
import { tokenizer } from 'acorn'

/** Functions for programs, most of which do what a command does. */
export const LIBRARY = 'bin/index.js'
/** Other files that users start. */
const DOORS = /^(bin\/timerq\.js|queues\/[\w-]+\.js|timers\/.*|action\/.*|harness\/conformance\/index\.js)$/
/** Its rooms are reached from the files that open them. */
const ROOMS = 'harness/index.js'
const ROOM = /^ +(\w+): \(\) => import\((.*)\).*$/gm
const OPENED = /\brooms\.(\w+)\(/g
const COMMENT = /\/\*[^]*?\*\//g
/** Modules by import, import() or URL: relative, or the end of a path. A part of the name may be computed. */
const MODULE = /(['`])(?!index\.js\1)([^'`\s]+\.js)\1/g

/**
 * @param {Map<string, string>} texts  Sources by file.
 * @param {string[]} doors  Further files that users start.
 * @returns {Set<string>} files that a door leads to
 */
export function reachedIn (texts, ...doors) {
  const files = [...texts.keys()]
  const rooms = new Map([...(texts.get(ROOMS) ?? '').matchAll(ROOM)].map(([, room, module]) => [room, module]))
  /** @type {Set<string>} */
  const reached = new Set()
  const open = files.filter(file => DOORS.test(file) || doors.includes(file))
  for (const file of open) {
    if (reached.has(file)) continue
    reached.add(file)
    const text = /** @type {string} */ (texts.get(file)).replace(COMMENT, '')
    const opened = [...text.matchAll(OPENED)].map(([, room]) => rooms.get(room)).join()
    open.push(...modulesIn(file === ROOMS ? text.replace(ROOM, '') : text, path.dirname(file)))
    open.push(...modulesIn(opened, path.dirname(ROOMS)))
  }
  return reached

  /** @type {(text: string, folder: string) => string[]} */
  function modulesIn (text, folder) {
    return [...text.matchAll(MODULE)].flatMap(([, , module]) => {
      const isRelative = module.startsWith('.')
      const parts = (isRelative ? path.join(folder, module) : `/${module}`).split(/\$\{[^}]*\}/)
      const end = new RegExp(`${isRelative ? '^' : ''}${parts.map(escaped).join('[^/]+')}$`)
      return files.filter(other => end.test(other))
    })
  }
}

/** @param {string} text */
const escaped = text => text.replace(/[.*+?^$()[\]{}|\\]/g, '\\$&')

/** @param {string} source */
export const tokensOf = source =>
  [...tokenizer(source, { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true })].length
