/** Profilers that start the server themselves: packages of npm, which leave a page, and Linux perf. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { SampleError, UsageError } from '../../model/errors.js'
import { runProgram } from '../../processes/processes.js'
import { runTool, runUnderLoad } from './under-load.js'
/** @import { Tool, ToolContext } from './index.js' */

/**
 * @typedef {object} PackagedTool
 * @property {string} name
 * @property {[name: string, entry: string, version: string]} from  Package, file of its command, and version.
 * @property {(command: string[], folder: string, context: ToolContext) => string[]} wrap  Command that runs the server,
 *   which is added to it.
 * @property {(command: string[], folder: string) => Promise<string>} report  Path of the page in the folder.
 *
 * @typedef {object} PerfShares  Shares of all samples.
 * @property {number} samples
 * @property {number} kernel
 * @property {number} javascript
 * @property {number} native  Share of Node, V8 and libraries.
 */

/** A row of the report, for example: 26.28%         2094  [kernel.kallsyms]  [k] finish_task_switch */
const ROW = /^\s*[\d.]+%\s+(\d+)\s+(.*?)\s+\[(.)\]\s+(.*)$/
/** No multiple of the kernel's tick rate, so that the two do not beat. */
const SAMPLES_PER_SECOND = 1999

/**
 * @param {PackagedTool} tool
 * @returns {Tool}
 */
function packaged ({ name, from, wrap, report }) {
  const find = () => [process.execPath, findPackage(...from)]
  return {
    name,
    kinds: ['http'],
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
 * 0x draws a flame graph of V8's tick log that marks optimised, interpreted and native frames; clinic doctor names the
 * fault of a server, clinic flame shows where its CPU goes.
 */
export const zeroX = packaged({
  name: '0x',
  from: ['0x', 'cmd.js', '6'],
  wrap: (command, folder, { cell }) => [...command, '-q', '--title', cell.id, '-D', path.join(folder, 'report')],
  report: async () => 'report/flamegraph.html'
})

export const [clinicDoctor, clinicFlame] = ['doctor', 'flame'].map(part =>
  packaged({
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
)

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

/**
 * Linux perf, as a check on V8's profiler. perf also sees the work of the kernel, which V8 counts as idle or charges to
 * the caller. Like V8 before Node 26, perf charges an inlined function's time to the function around it.
 *
 * @type {Tool}
 */
export const perf = {
  name: 'perf',
  kinds: ['http'],

  assertAvailable () {
    try {
      execFileSync('perf', ['--version'], { stdio: 'ignore' })
    } catch {
      throw new UsageError('--with perf: perf is not installed (try: apt-get install linux-perf)')
    }
  },

  async record (context) {
    const { folder, fileName } = context
    const text = await runUnderLoad(context, {
      wrap: (program, folder) => [
        ...`perf record -q -e cpu-clock -F ${SAMPLES_PER_SECOND} -o`.split(' '),
        path.join(folder, 'perf.data'),
        '--',
        ...program
      ],
      harvest: folder => report(path.join(folder, 'perf.data')),
      nodeFlags: ['--perf-basic-prof'],
      // perf expects the map of symbols there.
      cleanUp: pid => rmSync(`/tmp/perf-${pid}.map`, { force: true })
    })
    const shares = parsePerfReport(text)
    if (shares.samples === 0) throw new SampleError('crash', 'perf took no samples')
    const file = `${fileName}.perf.txt`
    writeFileSync(path.join(folder, file), text)
    return { metrics: {}, warnings: [], details: { tool: 'perf', files: [file], shares } }
  }
}

/**
 * @param {string} file  Recorded by perf.
 * @returns {Promise<string>}
 * @throws {SampleError} when perf cannot read the file
 */
async function report (file) {
  const command = ['perf', 'report', '--stdio', '-i', file, '--no-children', '-F', 'overhead,sample,dso,symbol']
  const { ok, ending, output } = await runProgram(command)
  if (!ok) throw new SampleError('crash', `its report ${ending}`)
  return output
}

/**
 * @param {string} text  Output of perf report -F overhead,sample,dso,symbol
 * @returns {PerfShares}
 */
export function parsePerfReport (text) {
  const counts = { kernel: 0, javascript: 0, native: 0 }
  for (const line of text.split('\n')) {
    const [, samples, , privilege, symbol] = ROW.exec(line) ?? []
    if (samples === undefined) continue
    if (privilege === 'k') counts.kernel += Number(samples)
    else if (/^(JS|LazyCompile|Function|Script|Eval):/.test(symbol)) counts.javascript += Number(samples)
    else counts.native += Number(samples)
  }
  const samples = counts.kernel + counts.javascript + counts.native
  const share = (/** @type {number} */ count) => (samples === 0 ? 0 : count / samples)
  return { samples, kernel: share(counts.kernel), javascript: share(counts.javascript), native: share(counts.native) }
}
