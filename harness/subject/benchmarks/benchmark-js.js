/**
 * The format of benchmark.js: suites of functions or of code as text, deferred ones, `setup` and `teardown` whose
 * variables the timed code sees, and events.
 */
import { statistics } from './results.js'
import { register } from './tasks.js'
/** @import { Group, Timed } from './tasks.js' */

/** Calls listeners by event, as benchmark.js does; a listener that fails does no harm. */
class Emitter {
  /** @type {Record<string, Function[]>} */
  events = {}

  /** @type {(types: string, listener: Function) => this} */
  on (types, listener) {
    for (const type of types.split(' ')) (this.events[type] ??= []).push(listener)
    return this
  }

  off () {
    return this
  }

  /** @type {(type: string, target: object) => void} */
  emit (type, target) {
    const event = { type, target, currentTarget: this, timeStamp: Date.now(), aborted: false }
    for (const listener of this.events[type] ?? []) {
      try {
        listener.call(this, event)
      } catch {}
    }
  }
}

/**
 * Both classes may be called without `new`.
 *
 * @template {new (...args: any[]) => any} T
 * @param {T} Class
 * @returns {any}
 */
const callable = Class => new Proxy(Class, { apply: (_, _self, args) => new Class(...args) })

class Suite extends Emitter {
  /** @type {Benchmark[]} */
  #benchmarks = []
  /** @type {Group} */
  #group

  /**
   * @param {any} [name]  Or the options.
   * @param {any} [options]
   */
  constructor (name = '', options = {}) {
    super()
    const given = typeof name === 'string' ? { name, ...options } : name
    this.#group = { name: given.name ?? '' }
    listen(this, given)
  }

  /** @type {(name: any, fn?: any, options?: any) => this} */
  add (name, fn, options) {
    const benchmark = new Benchmark(name, fn, options)
    this.#benchmarks.push(benchmark)
    Object.assign(this, { [this.#benchmarks.length - 1]: benchmark })
    benchmark.register(this.#group)
    this.emit('add', benchmark)
    return this
  }

  /** Listeners of `complete` may run the next suite. */
  run () {
    const [first = this] = this.#benchmarks
    this.emit('start', first)
    for (const benchmark of this.#benchmarks) {
      benchmark.run()
      this.emit('cycle', benchmark)
    }
    this.emit('complete', this.#benchmarks.at(-1) ?? this)
    return this
  }

  get length () {
    return this.#benchmarks.length
  }

  /** @param {any} callback  Or 'fastest', 'slowest' and 'successful'. */
  filter (callback) {
    return Benchmark.filter(this.#benchmarks, callback)
  }

  /** @param {any} callback  Or the name of a field. */
  map (callback) {
    return List.from(this.#benchmarks).map(callback)
  }

  pluck = this.map
  /** @param {any} callback */
  forEach (callback) {
    this.#benchmarks.forEach(callback)
    return this
  }

  abort = () => this
  reset = () => this
  slice = (/** @type {number[]} */ ...range) => this.#benchmarks.slice(...range)
}

/** Benchmarks, or values of them. */
class List extends Array {
  /** @override */
  static [Symbol.species] = Array

  /**
   * @param {any} callback  Or the name of a field.
   * @override
   */
  map (callback) {
    return super.map(typeof callback === 'string' ? benchmark => benchmark[callback] : callback)
  }

  pluck = this.map
}

/** @type {(emitter: Emitter, options: Record<string, any>) => void} */
function listen (emitter, options) {
  for (const [name, value] of Object.entries(options)) {
    if (/^on[A-Z]/.test(name) && typeof value === 'function') emitter.on(name.slice(2).toLowerCase(), value)
  }
}

class Benchmark extends Emitter {
  static Suite = callable(Suite)
  static options = {}
  static version = '2.1.4'
  static platform = { description: `Node.js ${process.version}`, toString: () => `Node.js ${process.version}` }
  static support = { decompilation: true }
  static formatNumber = String
  static filter = (/** @type {any[]} */ list, /** @type {any} */ callback) =>
    List.from(typeof callback === 'function' ? list.filter(callback) : list.slice(0, 1))

  hz = 1
  count = 1
  cycles = 1
  stats = statistics()
  times = { cycle: 1, elapsed: 1, period: 1, timeStamp: 1 }
  error = undefined
  aborted = false

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
    this.options = Object.assign({}, ...given)
    this.fn = timed ?? this.options.fn ?? texts[1]
    this.name = this.options.name ?? texts[0] ?? '<anonymous>'
    listen(this, this.options)
    if (!this.fn) throw new TypeError(`benchmark "${this.name}" has no function`)
  }

  /** @param {Group} group */
  register (group) {
    this.isRegistered = true
    register({ format: 'benchmark.js', group, name: this.name, prepare: () => prepare(this) })
  }

  /** A benchmark without a suite is found when it is run. */
  run () {
    if (!this.isRegistered) this.register({ name: '' })
    for (const type of ['start', 'cycle', 'complete']) this.emit(type, this)
    return this
  }

  reset = () => this
  abort = () => this
  compare = () => 0
  clone = () => this
  /** @override */
  toString () {
    return `${this.name} x 1 ops/sec`
  }
}

/**
 * benchmark.js puts the text of `setup`, the function and `teardown` into one function, so that they share variables;
 * where the text alone does not run, as it needs variables around it, it calls all three.
 *
 * @type {(benchmark: Benchmark) => Timed | Promise<Timed>}
 */
async function prepare (benchmark) {
  const { fn, options } = benchmark
  const { setup, teardown, defer } = { ...Benchmark.options, ...options }
  const joined = setup || teardown || typeof fn === 'string' ? await joinedText(benchmark, { setup, teardown }) : null
  if (joined) return joined
  if (typeof setup === 'function') await setup.call(benchmark)
  const end = typeof teardown === 'function' ? teardown.bind(benchmark) : undefined
  if (!defer) return { fn: fn.bind(benchmark), end }
  return {
    end,
    fn: () =>
      new Promise((resolve, reject) => {
        const deferred = { resolve, reject, benchmark, suite: undefined }
        fn.call(deferred, deferred)
      })
  }
}

/**
 * @param {Benchmark} benchmark
 * @param {{setup?: unknown, teardown?: unknown}} around
 * @returns {Promise<Timed | null>} null where the text does not run by itself
 */
async function joinedText (benchmark, { setup, teardown }) {
  if (benchmark.options.defer) return null
  try {
    // The loop is in the text, so that V8 optimises both together.
    // eslint-disable-next-line no-new-func -- benchmark.js does it
    const run = new Function(
      'timer',
      `${bodyOf(setup)}
timer.start()
for (let timerqLeft = timer.count; timerqLeft > 0; timerqLeft--) { ${bodyOf(benchmark.fn)}
}
timer.end(timer.count)
${bodyOf(teardown)}`
    )
    run.call(benchmark, { count: 1, start () {}, end () {} })
    return { fn: run.bind(benchmark), isManaged: true }
  } catch (error) {
    if (typeof benchmark.fn === 'string') throw error
    return null
  }
}

/** @param {any} code  A function, text, or nothing. */
function bodyOf (code) {
  if (code === undefined) return ''
  const text = String(code)
  if (typeof code !== 'function') return text
  const [, body] = /^[^{]*\{([^]*)\}\s*$/.exec(text) ?? []
  if (body === undefined) throw new SyntaxError('a function without a body in braces')
  return body
}

const exported = callable(Benchmark)
export default exported
export { exported as Benchmark }
