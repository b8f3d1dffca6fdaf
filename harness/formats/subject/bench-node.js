/**
 * The format of bench-node: `new Suite().add(name, options, fn)`; a function with a parameter manages its own timer.
 */
import { statistics } from './results.js'
import { register, run } from './tasks.js'
/** @import { BenchmarkTask } from './tasks.js' */

export class Suite {
  /** @type {Omit<BenchmarkTask, 'group'>[]} */
  #tasks = []
  #options

  /** @param {any} [options] */
  constructor (options = {}) {
    this.#options = options
    register(() => this.#inGroup())
  }

  /** @type {(name: string, options: any, fn?: any) => this} */
  add (name, options, fn = options) {
    if (typeof name !== 'string') throw new TypeError('name must be a string')
    if (typeof fn !== 'function') throw new TypeError(`"${name}" must be a function`)
    const isBaseline = options.baseline === true
    if (isBaseline && this.#tasks.some(task => task.isBaseline)) {
      throw new Error('There is already a baseline benchmark')
    }
    this.#tasks.push({ format: 'bench-node', name, isBaseline, prepare: () => ({ fn, isManaged: fn.length > 0 }) })
    return this
  }

  async run () {
    for (const task of this.#inGroup()) await run(task)
    const results = this.#tasks.map(({ name, isBaseline }) => {
      const { mean, min, max, samples: sampleData } = statistics()
      return {
        name,
        opsSec: mean,
        opsSecPerRun: [mean],
        totalTime: mean,
        iterations: 1,
        histogram: { samples: 1, min, max, cv: 1, sampleData },
        plugins: [],
        baseline: isBaseline
      }
    })
    const { reporter, reporterOptions = { printHeader: true } } = this.#options
    if (typeof reporter === 'function') reporter(results, reporterOptions)
    return results
  }

  #inGroup () {
    const group = { name: '' }
    return this.#tasks.map(task => ({ ...task, group }))
  }
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
