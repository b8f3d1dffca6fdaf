/** 0x: a flame graph of V8's tick log that marks optimised, interpreted and native frames. */
import path from 'node:path'
import { findPackage, copyReport, runUnderLoad } from './program.js'
/** @import { Tool } from './index.js' */

const find0x = () => findPackage('0x', 'cmd.js', '6')

/** @type {Tool} */
export const zeroX = {
  name: '0x',
  kinds: ['http'],
  assertAvailable () {
    find0x()
  },

  async record (context) {
    const report = 'report'
    const file = await runUnderLoad(context, {
      wrap: (program, folder) => [
        process.execPath,
        find0x(),
        '-q',
        '--title',
        context.cell.id,
        '-D',
        path.join(folder, report),
        '--',
        ...program
      ],
      harvest: async folder => copyReport(path.join(folder, report, 'flamegraph.html'), context, '.0x.html')
    })
    return { metrics: {}, warnings: [], details: { tool: '0x', files: [file] } }
  }
}
