/** The format of vitest: `bench(name, fn, options)` inside `describe`. Tests of such a file are left out. */
import { prepareTask, Task } from './tinybench.js'
import { collect, register } from './tasks.js'

/**
 * @typedef {object} Suite
 * @property {string} name  Names of all enclosing suites.
 * @property {Suite} [parent]
 * @property {boolean} [isOnly]
 * @property {boolean} [isSkipped]
 * @property {(() => unknown)[]} beforeAll
 * @property {(() => unknown)[]} afterAll
 *
 * @typedef {{isOnly?: boolean, isSkipped?: boolean}} Marks
 */

/** @type {Suite} */
let suite = { name: '', beforeAll: [], afterAll: [] }

/** @param {unknown} name */
const nameOf = name => (typeof name === 'function' ? name.name || '<anonymous>' : String(name))

/**
 * `f.skip`, `f.only` and the like, which may follow each other.
 *
 * @param {(marks: Marks, ...args: any[]) => unknown} f
 * @param {Marks} [marks]
 * @returns {any}
 */
function chainable (f, marks = {}) {
  const chain = (/** @type {any[]} */ ...args) => f(marks, ...args)
  const marked = (/** @type {Marks} */ more) => chainable(f, { ...marks, ...more })
  const own = {
    skip: () => marked({ isSkipped: true }),
    todo: () => marked({ isSkipped: true }),
    only: () => marked({ isOnly: true }),
    sequential: () => chain,
    concurrent: () => chain,
    shuffle: () => chain
  }
  for (const [name, get] of Object.entries(own)) Object.defineProperty(chain, name, { get })
  return Object.assign(chain, {
    skipIf: (/** @type {unknown} */ condition) => (condition ? marked({ isSkipped: true }) : chain),
    runIf: (/** @type {unknown} */ condition) => (condition ? chain : marked({ isSkipped: true })),
    each: (/** @type {any[]} */ values) => (/** @type {string} */ name, /** @type {Function} */ body) => {
      values.forEach((value, i) => {
        const args = [value].flat(1)
        chain(filledIn(name, args, i), () => body(...args))
      })
    }
  })
}

/**
 * Fills in the title of `each`: %s and the like take a value, $name a field, %# the index.
 *
 * @type {(title: string, args: any[], index: number) => string}
 */
function filledIn (title, args, index) {
  const left = [...args]
  return String(title)
    .replaceAll('%#', String(index))
    .replaceAll(/%[sdifjo]/g, placeholder => {
      const value = left.shift()
      return placeholder === '%j' || placeholder === '%o' ? JSON.stringify(value) : String(value)
    })
    .replaceAll(/\$(\w+)/g, (whole, field) => String(args[0]?.[field] ?? whole))
}

export const describe = chainable((marks, name, ...rest) => {
  const body = rest.find(part => typeof part === 'function')
  const outer = suite
  suite = {
    name: [outer.name, nameOf(name)].filter(Boolean).join(' > '),
    parent: outer,
    isOnly: outer.isOnly || marks.isOnly,
    isSkipped: outer.isSkipped || marks.isSkipped,
    beforeAll: [],
    afterAll: []
  }
  const leave = () => {
    suite = outer
  }
  let result
  try {
    result = body?.()
  } catch (error) {
    leave()
    throw error
  }
  if (typeof result?.then === 'function') {
    const left = result.then(leave)
    collect(left)
    return left
  }
  leave()
})
export { describe as suite }

export const bench = chainable((marks, name, fn = () => {}, options = {}) => {
  const own = suite
  const task = new Task(undefined, nameOf(name), fn, options)
  register({
    format: 'vitest',
    group: own,
    name: nameOf(name),
    isOnly: own.isOnly || marks.isOnly,
    isSkipped: own.isSkipped || marks.isSkipped,
    prepare: async () => {
      const enclosing = [...outwards(own)]
      for (const { beforeAll } of enclosing.toReversed()) for (const hook of beforeAll) await hook()
      const timed = await prepareTask(task, options)
      return {
        ...timed,
        end: async () => {
          await timed.end?.()
          for (const { afterAll } of enclosing) for (const hook of afterAll.toReversed()) await hook()
        }
      }
    }
  })
})

/** @type {(suite: Suite) => Generator<Suite>} */
function * outwards (suite) {
  for (let at = /** @type {Suite | undefined} */ (suite); at; at = at.parent) yield at
}

/** @param {() => unknown} hook */
export function beforeAll (hook) {
  suite.beforeAll.push(hook)
}

/** @param {() => unknown} hook */
export function afterAll (hook) {
  suite.afterAll.push(hook)
}

const ignored = chainable(() => {})
export const test = ignored
export const it = ignored
export const beforeEach = () => {}
export const afterEach = () => {}
export const onTestFinished = () => {}

/**
 * Anything that a benchmark file may do with `expect`, `vi` and the like outside of a test does nothing.
 *
 * @type {any}
 */
const nothing = new Proxy(function () {}, {
  get: (_, key) => (key === 'then' ? undefined : nothing),
  apply: () => nothing
})
export const expect = nothing
export const assert = nothing
export const vi = nothing
export const vitest = nothing
export const expectTypeOf = nothing
export const assertType = nothing
export const inject = nothing

/** Names that vitest's option `globals` provides. */
export const globals = {
  describe,
  suite: describe,
  bench,
  beforeAll,
  afterAll,
  beforeEach,
  afterEach,
  test,
  it,
  expect,
  vi
}
