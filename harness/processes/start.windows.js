/**
 * Starts programs on Windows as a user does by name: npm, npx and package scripts are batch files (.cmd), which only
 * cmd.exe runs.
 */
import { existsSync } from 'node:fs'
import path from 'node:path'
/** @import { SpawnOptions } from 'node:child_process' */

/** Characters that cmd.exe obeys; it takes each after a ^ as it is (cross-spawn 7, lib/util/escape.js). */
const OBEYED = /[()[\]%!^"`<>&|;, *?]/g

/**
 * @param {string[]} command
 * @param {string} [cwd]
 * @returns {{words: string[], options: SpawnOptions}} the command, through cmd.exe where its program is a batch file
 */
export function startable ([program, ...args], cwd = '.') {
  const file = find(program, cwd)
  if (!file || !/\.(cmd|bat)$/i.test(file)) return { words: [program, ...args], options: {} }
  const line = [file, ...args].map(quoted).join(' ')
  const shell = process.env.ComSpec ?? 'cmd.exe'
  return { words: [shell, '/d', '/s', '/c', `"${line}"`], options: { windowsVerbatimArguments: true } }
}

/**
 * @param {string} program
 * @param {string} cwd
 */
function find (program, cwd) {
  const { PATH = '', PATHEXT = '.COM;.EXE;.BAT;.CMD' } = process.env
  const folders = /[\\/]/.test(program) ? [cwd] : PATH.split(path.delimiter)
  // A file without an ending is a script for another shell.
  const endings = [...PATHEXT.toLowerCase().split(';'), '']
  return folders
    .flatMap(folder => endings.map(ending => path.resolve(folder, program + ending)))
    .find(file => existsSync(file))
}

/**
 * An argument as programs of Windows read it: backslashes before a quote count twice.
 *
 * @param {string} text
 */
function quoted (text) {
  const words = `"${text.replaceAll(/(\\*)"/g, '$1$1\\"').replace(/\\+$/, '$&$&')}"`
  // Within quotes, cmd.exe still obeys these.
  return /["%!]/.test(text) ? words.replace(OBEYED, '^$&') : words
}
