/**
 * d3-flame-graph and the packages that it needs, as classic scripts for a page.
 *
 * A checkout reads them from node_modules. The npm package holds them in one file, with their licences, so that timerq
 * does not depend on fifteen packages for one page.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

/** @typedef {{name: string, licence: string, source: string}} Library */

/** Each after those that it needs. */
const NEEDED = [
  'd3-array',
  'd3-color',
  'd3-interpolate',
  'd3-time',
  'd3-time-format',
  'd3-format',
  'd3-scale',
  'd3-dispatch',
  'd3-ease',
  'd3-timer',
  'd3-selection',
  'd3-transition',
  'd3-hierarchy'
]
const PACKED = new URL('libraries.json', import.meta.url)

/** @returns {Library[]} in the order in which a page runs them */
export function readLibraries () {
  return existsSync(PACKED) ? JSON.parse(readFileSync(PACKED, 'utf8')) : findLibraries()
}

/** @returns {Library[]} */
function findLibraries () {
  const flameGraph = createRequire(import.meta.url).resolve('d3-flame-graph')
  const { resolve } = createRequire(flameGraph)
  // Their packages export modules; the classic scripts for browsers lie beside them.
  const scripts = NEEDED.map(name => ({ name, file: resolve(name).replace(/\w+\/[^/]*$/, `dist/${name}.min.js`) }))
  return [...scripts, { name: 'd3-flame-graph', file: flameGraph.replace(/\.js$/, '.min.js') }].map(
    ({ name, file }) => ({
      name,
      licence: readFileSync(file.replace(/dist\/[^/]*$/, 'LICENSE'), 'utf8'),
      source: readFileSync(file, 'utf8')
    })
  )
}

// Run as a program, before the package is packed.
if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(PACKED, JSON.stringify(findLibraries()))
