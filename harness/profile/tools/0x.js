/** 0x: a flame graph of V8's tick log that marks optimised, interpreted and native frames. */
import path from 'node:path'
import { packaged } from './packaged.js'

export const tool = packaged({
  name: '0x',
  from: ['0x', 'cmd.js', '6'],
  wrap: (command, folder, { cell }) => [...command, '-q', '--title', cell.id, '-D', path.join(folder, 'report')],
  report: async () => 'report/flamegraph.html'
})
