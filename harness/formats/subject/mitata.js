/**
 * The format of mitata: `bench(name, fn)` in `group` and `summary`, with ranges of arguments, generators, and functions
 * that iterate over their state.
 */
import { isPromise } from '../../model/promise.js'
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
 * Adds the baseline, with the name that mitata 0.1 gave to this function.
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

/** Calls whose arguments are made before the first of them, at most. */
const BATCH = 4096

/**
 * A generator yields the function to be timed, or an object with it as `bench` and functions `[0]`, `[1]` ... that make
 * its arguments, which are not timed. It goes on after all calls.
 *
 * @type {(fn: any, args: Record<string, any>) => Promise<Timed>}
 */
async function prepareFunction (fn, args) {
  const get = (/** @type {string} */ name) => args[name]
  if (!isGenerator(fn)) return fn.length === 0 ? { fn } : { isManaged: true, fn: timer => fn(stateOf(timer, get)) }
  const generator = fn({ get })
  const { value } = await generator.next()
  const end = () => generator.next()
  const { manual, bench = manual ?? value, concurrency = args.concurrency } = Object(value)
  if (typeof bench !== 'function') throw new TypeError('expected benchmarkable yield from generator')
  /** @type {(() => unknown)[]} */
  const makers = bench === value ? [] : Array.from({ length: bench.length }, (_, i) => value[i])
  if (makers.some(make => typeof make !== 'function')) throw new TypeError('expected function for benchmark parameter')
  if (manual) return { ...before(makers, made => taken(bench(...made))), end }
  if (concurrency > 1) {
    const calls = Array.from({ length: concurrency })
    return { ...before(makers, made => Promise.all(calls.map(() => bench(...made)))), end }
  }
  if (makers.length === 0) return { fn: bench, end }
  const made = makers.map(make => make())
  const results = [...made, bench(...(await Promise.all(made)))]
  return { ...(results.some(isPromise) ? before(makers, made => bench(...made)) : batched(makers, bench)), end }
}

/** @type {(makers: (() => unknown)[], call: (made: unknown[]) => unknown) => Timed} */
function before (makers, call) {
  /** @type {unknown[]} */
  let made = []
  const fn = () => call(made)
  if (makers.length === 0) return { fn }
  return {
    fn,
    before () {
      made = makers.map(make => make())
      return made.some(isPromise) ? Promise.all(made).then(all => { made = all }) : undefined
    }
  }
}

/**
 * The clock is read once for many calls, as in mitata. The loop is text, so that V8 knows how many arguments they have.
 *
 * @type {(makers: (() => unknown)[], bench: Function) => Timed}
 */
function batched (makers, bench) {
  // eslint-disable-next-line no-new-func -- mitata does it
  const loop = new Function(
    'bench',
    'made',
    'count',
    `let last; for (let at = 0; at < count; at++) last = bench(${makers.map((_, i) => `made[${i}][at]`)})
return last`
  )
  return {
    isManaged: true,
    isPrompt: true,
    fn (timer) {
      for (let left = timer.count; left > 0; left -= BATCH) {
        const count = Math.min(left, BATCH)
        const made = makers.map(make => Array.from({ length: count }, () => make()))
        timer.start()
        loop(bench, made, count)
        timer.end(count)
      }
    }
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

  /** @returns {Record<string, unknown>[]} those of the first name change first */
  combinations () {
    return Object.entries(this.#args)
      .filter(([, values]) => Array.isArray(values))
      .reduce(
        (partial, [name, values]) => values.flatMap(value => partial.map(args => ({ ...args, [name]: value }))),
        /** @type {Record<string, unknown>[]} */ ([{}])
      )
  }

  /** @param {Record<string, unknown>} args */
  nameWith (args) {
    return Object.keys(args).reduce((label, name) => label.replaceAll(`$${name}`, String(args[name])), this.label)
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
