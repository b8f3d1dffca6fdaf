/**
 * Linux perf, as a check on V8's profiler. perf also sees the work of the kernel, which V8 counts as idle or charges to
 * the caller. Like V8 before Node 26, perf charges an inlined function's time to the function around it.
 */
import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { SampleError, UsageError } from '../../model/errors.js'
import { runProgram } from '../../processes/processes.js'
import { runUnderLoad } from './under-load.js'
/** @import { Tool } from './index.js' */

/**
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

/** @type {Tool} */
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
