/** Commands that complete a side: they install its packages, or build what git does not know. */
import { realpathSync } from 'node:fs'
import path from 'node:path'
import { NO_REPOSITORY } from '../processes/git.js'
import { start, supervise } from '../processes/processes.js'

/** What npm prints before an error, and lines that say nothing. */
const NPM = /^npm (?:error|ERR!) ?/
const EMPTY = /^(code|errno|syscall|path|cwd|A complete log|$)/

/**
 * Runs a command of a shell in the folder of a side. Git sees no repository there: a hook of a package must not change
 * the user's.
 *
 * @param {string} command
 * @param {{cwd: string, signal?: AbortSignal}} options
 * @returns {Promise<{ok: boolean, words: string}>} `words`: how it ended, in one line
 */
export async function runInSide (command, { cwd, signal }) {
  const ceiling = foldersAbove(realpathSync(cwd)).join(path.delimiter)
  const env = { ...process.env, ...NO_REPOSITORY, GIT_CEILING_DIRECTORIES: ceiling, HUSKY: '0' }
  const child = start([command], { cwd, shell: true, signal, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stderr?.on('data', text => (output += text))
  const { ok, ending } = await supervise(child, text => (output += text)).ended
  signal?.throwIfAborted()
  return { ok, words: reasonIn(output) ?? ending }
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function foldersAbove (folder) {
  const above = path.dirname(folder)
  return above === folder ? [] : [above, ...foldersAbove(above)]
}

/** @param {string} output */
function reasonIn (output) {
  const lines = output.split('\n').map(line => line.trim())
  const ofNpm = lines.filter(line => NPM.test(line)).map(line => line.replace(NPM, ''))
  return (
    ofNpm.find(line => !EMPTY.test(line)) ??
    lines.find(line => /^\W*\w*error\b/i.test(line)) ??
    lines.findLast(line => line !== '')
  )
}
