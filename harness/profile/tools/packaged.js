/** Profilers of npm that start the server themselves, and leave a page. */
import { copyFileSync, existsSync, readdirSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { SampleError, UsageError } from '../../model/errors.js'
import { hasSignals } from '../../processes/system.js'
import { runTool, runUnderLoad } from './under-load.js'
/** @import { Tool, ToolContext } from '../tools.js' */

/**
 * @typedef {object} PackagedTool
 * @property {string} name
 * @property {[name: string, entry: string, version: string]} from  Package, file of its command, and version.
 * @property {(command: string[], folder: string, context: ToolContext) => string[]} wrap  Command that runs the server,
 *   which is added to it.
 * @property {(command: string[], folder: string) => Promise<string>} report  Path of the page in the folder.
 */

/**
 * Part of clinic.
 *
 * @type {(part: 'doctor' | 'flame') => PackagedTool}
 */
const clinic = part => ({
  name: `clinic-${part}`,
  from: ['clinic', 'bin.js', '13'],
  wrap: (command, folder) => [...command, part, '--collect-only', '--dest', folder],
  async report (command, folder) {
    // Named after the id of the server's process.
    const collected = readdirSync(folder).find(entry => entry.endsWith(`.clinic-${part}`)) ?? 'nothing'
    await runTool([...command, part, '--visualize-only', path.join(folder, collected)], folder)
    return `${collected}.html`
  }
})

/** @type {PackagedTool[]}  The flame graph of 0x marks optimised, interpreted and native frames. */
const PACKAGED = [
  {
    name: '0x',
    from: ['0x', 'cmd.js', '6'],
    wrap: (command, folder, { cell }) => [...command, '-q', '--title', cell.id, '-D', path.join(folder, 'report')],
    report: async () => 'report/flamegraph.html'
  },
  clinic('doctor'),
  clinic('flame')
]

export const packagedTools = PACKAGED.map(packaged)

/**
 * @param {PackagedTool} tool
 * @returns {Tool}
 */
function packaged ({ name, from, wrap, report }) {
  const find = () => {
    if (hasSignals) return [process.execPath, findPackage(...from)]
    throw new UsageError(`--with ${name} needs signals, which this system lacks (try --with cpu)`)
  }
  return {
    name,
    assertAvailable: find,
    async record (context) {
      const command = find()
      const file = await runUnderLoad(context, {
        wrap: (program, folder) => [...wrap(command, folder, context), '--', ...program],
        harvest: async folder =>
          copyReport(path.join(folder, await report(command, folder)), context, `.${name}.html`)
      })
      return { metrics: {}, warnings: [], details: { tool: name, files: [file] } }
    }
  }
}

/**
 * Copies a file of a tool into the results. Some tools write no file and still end with exit code 0.
 *
 * @param {string} file
 * @param {ToolContext} context
 * @param {string} ending
 * @returns {string} name of the copy
 * @throws {SampleError} when the file is missing or empty
 */
export function copyReport (file, { folder, fileName }, ending) {
  if (!existsSync(file) || statSync(file).size === 0) throw new SampleError('crash', 'ended well but wrote no report')
  copyFileSync(file, path.join(folder, fileName + ending))
  return fileName + ending
}

/**
 * Finds the program of a package that is installed with timerq or in the current directory.
 *
 * @param {string} name
 * @param {string} entry  File of the command.
 * @param {string} version
 * @returns {string}
 * @throws {UsageError} when the package is not installed
 */
export function findPackage (name, entry, version) {
  for (const from of [fileURLToPath(import.meta.url), path.join(process.cwd(), 'index.js')]) {
    try {
      return createRequire(from).resolve(`${name}/${entry}`)
    } catch {}
  }
  throw new UsageError(`${name} is not installed, and is no dependency of timerq (try: npm install ${name}@${version})`)
}
