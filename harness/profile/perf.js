/**
 * Linux perf as a second witness: it sees the kernel's work too, which V8 calls idle or charges to whoever called. Like V8
 * before Node 26, it gives an inlined function's time to the function that it is in.
 */
import { execFile, execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { SampleError } from '../child.js'
import { UsageError } from '../errors.js'
import { parsePerfReport } from './perf-report.js'
import { runUnderLoad } from './program.js'

const execute = promisify(execFile)
/** Not a multiple of the kernel's own ticks. */
const SAMPLES_PER_SECOND = 1999
const REPORT_LIMIT_BYTES = 64 * 2 ** 20

/** @type {import('./tools.js').Tool} */
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
    const text = await runUnderLoad(context,
      (program, folder) => ['perf', 'record', '-q', '-e', 'cpu-clock', '-F', String(SAMPLES_PER_SECOND), '-o', path.join(folder, 'perf.data'), '--', ...program],
      async (folder, pid) => {
        const report = ['report', '--stdio', '-i', path.join(folder, 'perf.data'), '--no-children', '-F', 'overhead,sample,dso,symbol']
        const { stdout } = await execute('perf', report, { maxBuffer: REPORT_LIMIT_BYTES })
        // Where the symbols lie is perf's choice.
        rmSync(`/tmp/perf-${pid}.map`, { force: true })
        return stdout
      },
      ['--perf-basic-prof'])
    const shares = parsePerfReport(text)
    if (shares.samples === 0) throw new SampleError('crash', 'perf took no samples')
    const file = `${fileName}.perf.txt`
    writeFileSync(path.join(folder, file), text)
    return { metrics: {}, warnings: [], details: { tool: 'perf', files: [file], shares } }
  }
}
