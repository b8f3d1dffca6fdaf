/**
 * Modules joined to one classic script, so that a page needs no server and no second file. Understands the imports and
 * exports of this project's style and refuses everything else.
 */
import { readFileSync } from 'node:fs'

const IMPORT = /^import \{([^}]+)\} from '(\.[^']+)'$/gm
const EXPORT = /^export (?=(?:function|const|class) (\w+))/gm

/**
 * @param {URL} entry
 * @returns {string}
 */
export function joinModules (entry) {
  /** Every module after those that it imports. @type {Map<string, string>} */
  const modules = new Map()
  add(entry)
  return `'use strict';(() => {\nconst modules = {}\n${[...modules.values()].join('')}})()\n`

  /** @param {URL} url */
  function add (url) {
    if (modules.has(url.href)) return
    const source = withoutComments(readFileSync(url, 'utf8'))
    const imported = [...source.matchAll(IMPORT)].map(([, , path]) => new URL(path, url))
    imported.forEach(add)
    modules.set(url.href, wrap(nameOf(url), source, url))
  }

  /**
   * @param {string} name
   * @param {string} source
   * @param {URL} url
   */
  function wrap (name, source, url) {
    const names = [...source.matchAll(EXPORT)].map(([, exported]) => exported)
    const body = source
      .replaceAll(IMPORT, (_, names, path) => `const {${names}} = modules['${nameOf(new URL(path, url))}']`)
      .replaceAll(EXPORT, '')
    const odd = /^(import|export)\b.*/m.exec(body)
    if (odd) throw new Error(`${url.pathname}: cannot join "${odd[0]}" (only named imports and exported functions, constants and classes)`)
    return `modules['${name}'] = (() => {\n${body}\nreturn { ${names.join(', ')} }\n})()\n`
  }

  /** @param {URL} url */
  function nameOf (url) {
    return url.pathname.slice(new URL('../../', import.meta.url).pathname.length)
  }
}

/**
 * Types and explanations stay in the source; so does the machine's path.
 *
 * @param {string} source
 */
function withoutComments (source) {
  return source.replaceAll(/^[ \t]*\/\*\*(?:(?!\*\/)[^])*\*\/[ \t]*\n/gm, '').replaceAll(/\/\*\*(?:(?!\*\/)[^])*\*\/ ?/g, '')
    .replaceAll(/^[ \t]*\/\/.*\n/gm, '')
}
