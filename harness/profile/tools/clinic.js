/** clinic: doctor names the fault of a server, flame shows where its CPU goes. */
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { findPackage, copyReport, runTool, runUnderLoad } from './program.js'
/** @import { Tool } from './index.js' */

const findClinic = () => findPackage('clinic', 'bin.js', '13')

/**
 * @param {'doctor' | 'flame'} part
 * @returns {Tool}
 */
function clinic (part) {
  const name = `clinic-${part}`
  return {
    name,
    kinds: ['http'],
    assertAvailable () {
      findClinic()
    },

    async record (context) {
      const command = [process.execPath, findClinic(), part]
      const file = await runUnderLoad(context, {
        wrap: (program, folder) => [...command, '--collect-only', '--dest', folder, '--', ...program],
        async harvest (folder) {
          // Named after the id of the server's process.
          const collected = readdirSync(folder).find(entry => entry.endsWith(`.${name}`)) ?? 'nothing'
          await runTool([...command, '--visualize-only', path.join(folder, collected)], folder)
          return copyReport(path.join(folder, `${collected}.html`), context, `.${name}.html`)
        }
      })
      return { metrics: {}, warnings: [], details: { tool: name, files: [file] } }
    }
  }
}

export const clinicDoctor = clinic('doctor')
export const clinicFlame = clinic('flame')
