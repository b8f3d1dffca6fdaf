/**
 * The format of benchmark.js: suites of functions or of code as text, deferred ones, `setup` and `teardown` whose
 * variables the timed code sees, and events.
 */
import { statistics } from './results.js'
import { register, run, runSync } from './tasks.js'
/** @import { BenchmarkTask, Group, Timed } from './tasks.js' */

/** Benchmarks, or values of them. */
class List extends Array {
  /** @override */
  static [Symbol.species] = Array

  /**
   * @param {any} callback  Or 'fastest', 'slowest' and 'successful'.
   * @override
   */
  filter (callback) {
    const isNamed = typeof callback === 'string'
    return List.from(isNamed ? this.slice(0, callback === 'successful' ? Infinity : 1) : super.filter(callback))
  }

  /**
   * @param {any} callback  Or the name of a field.
   * @override
   */
  map (callback) {
    return List.from(this, typeof callback === 'string' ? benchmark => benchmark[callback] : callback)
  }

  /** @param {string} field */
  pluck (field) {
    return this.map(field)
  }
}

/**
 * Calls listeners by event, as benchmark.js does.
 *
 * @template {new (...args: any[]) => object} T
 * @param {T} Base
 */
const emitting = Base =>
  class extends Base {
    /** @type {Record<string, Function[]>} */
    events = {}
    aborted = false

    /** @type {(types: string, listener: Function) => this} */
    on (types, listener) {
      for (const type of types.split(' ')) (this.events[type] ??= []).push(listener)
      return this
    }

    /** @type {(types?: string, listener?: Function) => this} */
    off (types = Object.keys(this.events).join(' '), listener) {
      for (const type of types.split(' ')) {
        this.events[type] = listener ? (this.events[type] ?? []).filter(own => own !== listener) : []
      }
      return this
    }

    /** @param {string} type */
    listeners (type) {
      return (this.events[type] ??= [])
    }

    /** @type {(type: any, target?: object) => void} */
    emit (type, target = this) {
      const own = { target, currentTarget: this, timeStamp: Date.now(), aborted: false }
      const event = { ...own, ...(type.type ? type : { type }) }
      for (const listener of [...this.listeners(event.type)]) listener.call(this, event)
    }

    /** @param {Record<string, any>} options */
    listen (options) {
      for (const [name, value] of Object.entries(options)) {
        if (/^on[A-Z]/.test(name) && typeof value === 'function') this.on(name.slice(2).toLowerCase(), value)
      }
    }

    abort () {
      this.aborted = true
      return this
    }

    reset = () => this
    clone = () => this
  }

/**
 * Both classes may be called without `new`.
 *
 * @template {new (...args: any[]) => any} T
 * @param {T} Class
 * @returns {any}
 */
const callable = Class => new Proxy(Class, { apply: (_, _self, args) => new Class(...args) })

class Suite extends emitting(List) {
  name

  /**
   * @param {any} [name]  Or the options.
   * @param {any} [options]
   */
  constructor (name = '', options = {}) {
    super()
    const given = typeof name === 'string' ? { name, ...options } : name
    this.name = given.name ?? ''
    this.options = given
    this.listen(given)
    const group = { name: this.name }
    register(() => this.slice().map(benchmark => benchmark.entry(group)))
  }

  /** @type {(name: any, fn?: any, options?: any) => this} */
  add (name, fn, options) {
    const benchmark = new Benchmark(name, fn, options)
    this.push(benchmark)
    this.emit('add', benchmark)
    return this
  }

  /**
   * Listeners of `complete` may run the next suite.
   *
   * @param {{async?: boolean}} [options]
   */
  run (options = {}) {
    const left = this.slice()
    const group = { name: this.name }
    this.aborted = false
    const next = (/** @type {Benchmark | undefined} */ last) => {
      if (last) this.emit('cycle', last)
      const benchmark = this.aborted ? undefined : left.shift()
      if (benchmark) benchmark.measure(group, options, () => next(benchmark))
      else this.emit('complete', last)
    }
    if (left.length > 0) {
      this.emit('start', left[0])
      next(undefined)
    }
    return this
  }

  /**
   * @param {any} callback
   * @override
   */
  forEach (callback) {
    super.forEach(callback)
    return this
  }

  /** @param {any} callback */
  each (callback) {
    return this.forEach(callback)
  }
}

class Benchmark extends emitting(Object) {
  static Suite = callable(Suite)
  static options = {}
  static version = '2.1.4'
  static platform = { description: `Node.js ${process.version}`, toString: () => `Node.js ${process.version}` }
  static support = { browser: false, decompilation: true, timeout: true }
  static formatNumber = String
  static Deferred = class {}
  static Event = class {}
  static has = Object.hasOwn

  /** @type {(list: any, name: any, ...args: any[]) => unknown[]} */
  static invoke = (list, { name, args }, ...more) =>
    Array.from(list, one => one[name](...(args === undefined ? more : [args].flat())))

  /** @type {(list: any, between?: string, inside?: string) => string} */
  static join = (list, between = ',', inside = ': ') =>
    (Array.isArray(list) ? list : Object.entries(list).map(pair => pair.join(inside))).join(between)

  running = false
  count = 1
  cycles = 1
  stats = statistics()
  hz = this.stats.mean
  times = { cycle: 1, elapsed: 1, period: 1, timeStamp: 1 }
  error = undefined

  /**
   * @param {any} name  Each may be left out, as the options may hold both.
   * @param {any} [fn]
   * @param {any} [options]
   */
  constructor (name, fn, options) {
    super()
    const given = [name, fn, options].filter(part => typeof part === 'object' && part !== null)
    const texts = [name, fn].filter(part => typeof part === 'string')
    const [timed] = [name, fn].filter(part => typeof part === 'function')
    this.options = Object.assign({}, Benchmark.options, ...given)
    this.fn = timed ?? this.options.fn ?? texts[1]
    this.name = this.options.name ?? texts[0] ?? '<anonymous>'
    this.listen(this.options)
    if (!this.fn) throw new TypeError(`benchmark "${this.name}" has no function`)
  }

  /** @type {(group: Group) => BenchmarkTask} */
  entry = group => ({ format: 'benchmark.js', group, name: String(this.name), prepare: () => prepare(this) })

  /**
   * Runs at once, or later where the library would, too.
   *
   * @param {Group} group
   * @param {{async?: boolean}} options
   * @param {() => void} [then]
   */
  measure (group, { async: isAsync = this.options.async }, then) {
    const isLater = isAsync || this.options.defer
    const measured = () => {
      this.emit('start')
      if ((isLater ? run : runSync)(this.entry(group))) return
      for (const type of ['cycle', 'complete']) this.emit(type)
      then?.()
    }
    if (isLater) setTimeout(measured)
    else measured()
  }

  /** @param {{async?: boolean}} [options] */
  run (options = {}) {
    this.measure({ name: '' }, options)
    return this
  }

  compare = () => 0

  /** @override */
  toString () {
    return `${this.name} x 1 ops/sec`
  }
}
for (const name of ['each', 'filter', 'forEach', 'forOwn', 'indexOf', 'map', 'reduce']) {
  const method = { each: 'forEach', forOwn: 'forEach' }[name] ?? name
  /** @type {(list: any, ...args: any[]) => unknown} */
  const call = (list, ...args) => /** @type {any} */ (List.from(list))[method](...args)
  Object.assign(Benchmark, { [name]: call })
}

/** @param {any} code */
const isText = code => typeof code === 'string' || Object.hasOwn(Object(code), 'toString')

/**
 * The text of a function's body, as benchmark.js finds it.
 *
 * @param {any} code  A function, text, or nothing.
 */
function sourceOf (code = '') {
  const text = isText(code) ? String(code) : (/^[^{]+\{([^]*)\}\s*$/.exec(String(code))?.[1] ?? '')
  return /^\s*(["'])use strict\1;?\s*$/.test(text) ? '' : text.trim()
}

/** Runs a text once, to see whether it ends early. */
const TRIAL = { count: 1, start () {}, end () {} }

/**
 * benchmark.js puts the text of `setup`, the function and `teardown` into one function, so that they share variables.
 * If a `return` in the text ends that function early, benchmark.js calls a function with the same text. If it fails,
 * because the text needs variables around it, benchmark.js calls the original function.
 *
 * @type {(benchmark: Benchmark) => Timed}
 */
function prepare (benchmark) {
  const { fn, options } = benchmark
  // A prototype's hold for all benchmarks.
  const { setup, teardown } = /** @type {any} */ (benchmark)
  const parts = [options.setup ?? setup, fn, options.teardown ?? teardown]
  if (options.defer) return deferred(benchmark, parts.map(part => (isText(part) ? compiled(part) : part)))
  if (!isText(fn) && !parts[0] && !parts[2]) return { fn: fn.bind(benchmark) }
  const [before, body, after] = parts.map(sourceOf)
  if (!body && !isText(fn)) {
    throw new Error(`The test "${benchmark.name}" is empty. This may be the result of dead code removal.`)
  }
  // The loop is in the text, so that V8 optimises both together.
  const compile = (/** @type {string} */ declared, /** @type {string} */ call) =>
    compiled(
      `${declared}${before}
timer.start()
for (let timerqLeft = timer.count; timerqLeft > 0; timerqLeft--) { ${call}
}
timer.end(timer.count)
${after}
return timer`,
      'timer'
    ).bind(benchmark)
  const joined = compile('', body)
  let fault
  try {
    if (joined(TRIAL) === TRIAL) return { fn: timer => assertWhole(joined(timer)), isManaged: true }
  } catch (error) {
    fault = error
  }
  const called = compile(
    isText(fn) || !fault ? `function timerqFn () { ${body}\n}\n` : 'const timerqFn = this.fn\n',
    'timerqFn.call(this)'
  )
  try {
    called(TRIAL)
  } catch (error) {
    throw fault ?? error
  }
  return { fn: called, isManaged: true }
}

/** @param {object | undefined} timer */
function assertWhole (timer) {
  if (!timer) throw new Error('a `return` in it has ended its timed loop, as in benchmark.js: use if and else')
}

/** @type {(text: any, argument?: string) => Function} */
// eslint-disable-next-line no-new-func -- benchmark.js does it
const compiled = (text, argument = 'deferred') => new Function(argument, String(text))

/**
 * The parts share no variables of their own.
 *
 * @type {(benchmark: Benchmark, parts: (Function | undefined)[]) => Timed}
 */
function deferred (benchmark, [setup, fn, teardown]) {
  setup?.call(benchmark)
  return {
    end: teardown?.bind(benchmark),
    fn: () =>
      new Promise((resolve, reject) => {
        const own = { resolve, reject, benchmark, suite: undefined }
        fn?.call(own, own)
      })
  }
}

const exported = Object.assign(callable(Benchmark), { runInContext: () => exported })
exported.Benchmark = exported
export default exported
export { exported as Benchmark, exported as 'module.exports' }
