/**
 * The format of bench-node: `new Suite().add(name, options, fn)`; a function with a parameter manages its own timer.
 */
import { register } from './tasks.js'
/** @import { Group, Timed } from './tasks.js' */

export class Suite {
  /** @type {Group} */
  #group = { name: '' }
  /** @type {string[]} */
  #names = []

  /** @type {(name: string, options: any, fn?: any) => this} */
  add (name, options, fn = options) {
    if (typeof fn !== 'function') throw new TypeError(`"${name}" must be a function`)
    this.#names.push(name)
    register({
      format: 'bench-node',
      group: this.#group,
      name,
      isBaseline: options.baseline === true,
      prepare: () => ({ fn, isManaged: fn.length > 0 })
    })
    return this
  }

  run = async () =>
    this.#names.map(name => ({
      name,
      opsSec: 1,
      opsSecPerRun: [1],
      totalTime: 1,
      iterations: 1,
      histogram: { samples: 1, min: 1, max: 1, cv: 1, sampleData: [1] },
      plugins: []
    }))
}

class Plugin {
  isSupported = () => false
}
export {
  Plugin as V8NeverOptimizePlugin,
  Plugin as V8GetOptimizationStatus,
  Plugin as V8OptimizeOnNextCallPlugin,
  Plugin as MemoryPlugin,
  Plugin as DeadCodeEliminationDetectionPlugin
}

const report = () => ''
export {
  report as chartReport,
  report as textReport,
  report as prettyReport,
  report as htmlReport,
  report as jsonReport,
  report as csvReport,
  report as toText,
  report as toChart,
  report as toPretty,
  report as toHtml,
  report as toJSON,
  report as toCSV
}
export const getSignificanceStars = report
export const welchTTest = () => ({ pValue: 1, significant: false })
export const compareBenchmarks = welchTTest

export default { Suite }
