/**
 * The format of mitata: `bench(name, fn)` in `group` and `summary`, with ranges of arguments, generators, and functions
 * that iterate over their state.
 */
import { isPromise } from '../micro/cycles.js'
import { statistics } from './results.js'
import { collect, register, run as runTask } from './tasks.js'
/** @import { BenchmarkTask, Group, Timed, Timer } from './tasks.js' */

/** @type {Group} */
let current = { name: '' }

/** @typedef {{own: B, group: Group}} Trial */

/**
 * Benchmarks that the next run measures. Their arguments may be added later.
 *
 * @type {Trial[]}
 */
let trials = []

/** @type {(name: any, fn?: any) => B} */
export function bench (name, fn = name) {
  const trial = { own: new B(typeof name === 'function' ? name.name || 'anonymous' : name, fn), group: current }
  trials.push(trial)
  register(() => tasksOf(trial))
  return trial.own
}

/**
 * As in mitata 0.1.
 *
 * @type {(name: any, fn?: any) => B}
 */
export const baseline = (name, fn) => bench(name, fn).baseline()

/** @type {(trial: Trial) => BenchmarkTask[]} */
const tasksOf = ({ own, group }) =>
  own.combinations().map(args => ({
    format: 'mitata',
    group,
    name: own.nameWith(args),
    isBaseline: own.isBaseline,
    prepare: () => prepareFunction(own.fn, args)
  }))

/**
 * A generator yields the function to be timed, or an object with it as `bench` and functions `[0]`, `[1]` ... that make
 * its arguments, which are not timed. It goes on after all calls.
 *
 * @type {(fn: any, args: Record<string, unknown>) => Promise<Timed>}
 */
async function prepareFunction (fn, args) {
  const get = (/** @type {string} */ name) => args[name]
  if (!isGenerator(fn)) return fn.length === 0 ? { fn } : { isManaged: true, fn: timer => fn(stateOf(timer, get)) }
  const generator = fn({ get })
  const { value } = await generator.next()
  const end = () => generator.next()
  if (typeof value === 'function') return { fn: value, end }
  const { manual, bench = manual } = value ?? {}
  if (typeof bench !== 'function') throw new TypeError('expected benchmarkable yield from generator')
  const makers = Object.keys(value)
    .filter(key => /^\d+$/.test(key))
    .sort((a, b) => Number(a) - Number(b))
  /** @type {unknown[]} */
  let made = []
  const call = () => bench(...made)
  return {
    fn: manual ? () => taken(call()) : call,
    end,
    before:
      makers.length > 0
        ? () => {
            made = makers.map(key => value[key]())
          }
        : undefined
  }
}

/**
 * The time that a manual benchmark says it took.
 *
 * @type {(ns: any) => object}
 */
const taken = ns => (isPromise(ns) ? ns.then(taken) : { overriddenDuration: ns / 1e6 })

/**
 * The state of a function that iterates over it: each step is an operation.
 *
 * @type {(timer: Timer, get: (name: string) => unknown) => object}
 */
function stateOf (timer, get) {
  let left = timer.count
  const [more, done] = [false, true].map(done => ({ done, value: undefined }))
  const next = () => {
    if (left === timer.count) timer.start()
    if (left-- > 0) return more
    timer.end(timer.count)
    return done
  }
  return { get, [Symbol.iterator]: () => ({ next }), [Symbol.asyncIterator]: () => ({ next: async () => next() }) }
}

/** @param {Function} fn */
const isGenerator = fn => /^(Async)?GeneratorFunction$/.test(fn.constructor.name)

export class B {
  isBaseline = false
  /** @type {Record<string, unknown[]>} */
  #args = {}

  /**
   * @param {string} name
   * @param {any} fn
   */
  constructor (name, fn) {
    if (typeof fn !== 'function') throw new TypeError('expected iterator, generator or one-shot function')
    this.label = String(name)
    this.fn = fn
  }

  /** @param {string} name */
  name (name) {
    this.label = name
    return this
  }

  /** @type {(name: any, values?: any) => this} */
  args (name, values) {
    const added = Array.isArray(name) ? { x: name } : typeof name === 'string' ? { [name]: values } : (name ?? {})
    Object.assign(this.#args, added)
    return this
  }

  /** @type {(name: string, from: number, to: number, factor?: number) => this} */
  range (name, from, to, factor = 8) {
    return this.args(
      name,
      upTo(to, from, value => value * factor)
    )
  }

  /** @type {(name: string, from: number, to: number, step?: number) => this} */
  dense_range (name, from, to, step = 1) {
    return this.args(
      name,
      upTo(to, from, value => value + step)
    )
  }

  baseline (isBaseline = true) {
    this.isBaseline = isBaseline
    return this
  }

  gc = () => this
  highlight = () => this
  compact = () => this

  /** @param {Group} [group] */
  async run (group = { name: '' }) {
    const runs = []
    for (const task of tasksOf({ own: this, group })) {
      await runTask(task)
      runs.push({ name: task.name, args: {}, stats: statistics(), error: undefined })
    }
    const { label: alias, isBaseline } = this
    return { ...runs[0], alias, baseline: isBaseline, group: 0, kind: 'static', args: {}, style: {}, runs }
  }

  /** @returns {Record<string, unknown>[]} */
  combinations () {
    return Object.entries(this.#args)
      .filter(([, values]) => Array.isArray(values))
      .reduce(
        (partial, [name, values]) => partial.flatMap(args => values.map(value => ({ ...args, [name]: value }))),
        /** @type {Record<string, unknown>[]} */ ([{}])
      )
  }

  /** @param {Record<string, unknown>} args */
  nameWith (args) {
    const names = Object.keys(args)
    const isNamed = names.some(name => this.label.includes(`$${name}`))
    const shown = names.map(name => `${name}=${args[name]}`)
    return isNamed
      ? names.reduce((label, name) => label.replaceAll(`$${name}`, String(args[name])), this.label)
      : [this.label, ...shown].join(' ')
  }
}

/** @type {(last: number, first: number, next: (value: number) => number) => number[]} */
function upTo (last, first, next) {
  const values = []
  for (let value = first; value < last; value = next(value)) values.push(value)
  return [...values, last]
}

/** @type {(name: any, body?: any) => unknown} */
export function group (name, body = name) {
  const outer = current
  // In mitata 0.1, it may be an object.
  current = { name: typeof name === 'function' ? outer.name : (name?.name ?? name) }
  const leave = () => {
    current = { name: outer.name }
  }
  const result = body()
  if (typeof result?.then === 'function') {
    const left = result.then(leave)
    collect(() => left)
    return left
  }
  leave()
}

/** @param {() => unknown} body */
const unnamed = body => group(body)
export { unnamed as summary, unnamed as boxplot, unnamed as barplot, unnamed as lineplot }
/** @param {() => unknown} body */
export const compact = body => body()

/** @param {{filter?: RegExp, observe?: (trial: object) => object}} [options] */
export async function run ({ filter = /.*/, observe = trial => trial } = {}) {
  const benchmarks = []
  for (const { own, group } of trials) {
    if (filter.test(own.label)) benchmarks.push(observe(await own.run(group)))
  }
  trials = []
  const context = { cpu: { name: '', freq: 1 }, noop: { fn: statistics(), iter: statistics() }, runtime: 'node' }
  return { benchmarks, context, layout: [], cpu: '', runtime: '' }
}

export const $ = {}
export const measure = async () => statistics()
/** @type {(value: unknown) => void} */
export const do_not_optimize = () => {} // eslint-disable-line camelcase -- mitata's name
export const flags = { compact: 1, baseline: 2 }
export const clear = () => {}
