/** The format of mitata: `bench(name, fn)` in `group` and `summary`, with ranges of arguments and generators. */
import { statistics } from './results.js'
import { collect, register } from './tasks.js'
/** @import { BenchmarkTask, Group, Timed } from './tasks.js' */

/** @type {Group} */
let current = { name: '' }

/** @type {(name: any, fn?: any) => B} */
export function bench (name, fn = name) {
  const own = new B(typeof name === 'function' ? name.name || 'anonymous' : name, fn)
  const group = current
  // Its arguments are added after this call.
  register(() => own.combinations().map(args => taskOf(own, group, args)))
  return own
}

/** @type {(own: B, group: Group, args: Record<string, unknown>) => BenchmarkTask} */
const taskOf = (own, group, args) => ({
  format: 'mitata',
  group,
  name: own.nameWith(args),
  isBaseline: own.isBaseline,
  prepare: () => prepareFunction(own.fn, args)
})

/**
 * A generator yields the function to be timed, or an object with it as `bench` and functions `[0]`, `[1]` ... that make
 * its arguments, which are not timed. It goes on after all calls.
 *
 * @type {(fn: any, args: Record<string, unknown>) => Promise<Timed>}
 */
async function prepareFunction (fn, args) {
  if (!isGenerator(fn)) return { fn }
  const generator = fn({ get: (/** @type {string} */ name) => args[name] })
  const { value } = await generator.next()
  const end = () => generator.next()
  if (typeof value === 'function') return { fn: value, end }
  const { bench, manual } = value ?? {}
  if (typeof bench !== 'function') {
    throw new TypeError(manual ? 'a manual benchmark cannot be measured' : 'the generator yields no function')
  }
  const makers = Object.keys(value)
    .filter(key => /^\d+$/.test(key))
    .sort((a, b) => Number(a) - Number(b))
  /** @type {unknown[]} */
  let made = []
  return {
    fn: () => bench(...made),
    end,
    before:
      makers.length > 0
        ? () => {
            made = makers.map(key => value[key]())
          }
        : undefined
  }
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
  current = { name: typeof name === 'string' ? name : outer.name }
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

export const run = async () => ({ benchmarks: [], context: {}, layout: [] })
export const measure = async () => statistics()
/** @type {(value: unknown) => void} */
export const do_not_optimize = () => {} // eslint-disable-line camelcase -- mitata's name
export const flags = { compact: 1, baseline: 2 }
export const clear = () => {}
