/**
 * Linux perf as a second witness: it sees the kernel's work too, which V8 calls idle or charges to whoever called. Like V8
 * before Node 26, it gives an inlined function's time to the function that it is in.
 */
import { execFile, execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { SampleError } from '../child.js'
import { UsageError } from '../model/errors.js'
import { parsePerfReport } from './perf-report.js'
import { lastWords, runUnderLoad } from './program.js'

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
    const text = await runUnderLoad(context, {
      wrap: (program, folder) => ['perf', 'record', '-q', '-e', 'cpu-clock', '-F', String(SAMPLES_PER_SECOND), '-o', path.join(folder, 'perf.data'), '--', ...program],
      harvest: folder => report(path.join(folder, 'perf.data')),
      nodeFlags: ['--perf-basic-prof'],
      // The symbols: where they lie is perf's choice.
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
 * @param {string} file  That perf recorded.
 * @returns {Promise<string>}
 * @throws {SampleError} when perf cannot read it
 */
async function report (file) {
  const command = ['report', '--stdio', '-i', file, '--no-children', '-F', 'overhead,sample,dso,symbol']
  try {
    const { stdout } = await execute('perf', command, { maxBuffer: REPORT_LIMIT_BYTES })
    return stdout
  } catch (error) {
    const { stderr, message } = /** @type {import('node:child_process').ExecFileException} */ (error)
    throw new SampleError('crash', `its report failed${lastWords(stderr || message)}`)
  }
}
