/** Parts of clinic, which write a page each. */
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { packaged } from './packaged.js'
import { runTool } from './under-load.js'

/** @param {'doctor' | 'flame'} part */
export const clinic = part =>
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
