/** The format of vitest: `bench(name, fn, options)` inside `describe`. Tests of such a file are left out. */
import { formatWithOptions, inspect } from 'node:util'
import { prepareTask, Task } from './tinybench.js'
import { collect, forgotten, register } from './tasks.js'

/**
 * @typedef {object} Suite
 * @property {string} name  Names of all enclosing suites.
 * @property {Suite} [parent]
 * @property {boolean} [isOnly]
 * @property {boolean} [hasOnly]  A task or suite in it is marked.
 * @property {boolean} [isSkipped]
 * @property {(() => unknown)[]} beforeAll
 * @property {(() => unknown)[]} afterAll
 * @property {(() => Promise<void>)[]} inner  Suites in it, which are read after it.
 *
 * @typedef {{isOnly?: boolean, isSkipped?: boolean}} Marks
 */

/** @type {Suite} */
const file = { name: '', beforeAll: [], afterAll: [], inner: [] }
let suite = file
forgotten.push(file.beforeAll, file.afterAll)

/** @param {unknown} name */
const nameOf = name => (typeof name === 'function' ? name.name || '<anonymous>' : String(name))

/**
 * `f.skip`, `f.only` and the like, which may follow each other, and tables of cases.
 *
 * @param {(marks: Marks, name: unknown, ...rest: any[]) => unknown} f
 * @param {Marks} [marks]
 * @returns {any}
 */
function chainable (f, marks = {}) {
  const chain = (/** @type {unknown} */ name, /** @type {any[]} */ ...rest) => f(marks, name, ...rest)
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
  const table = (/** @type {boolean} */ isSpread) => (/** @type {any} */ cases, /** @type {any[]} */ ...values) => {
    const rows = values.length > 0 ? rowsOf(cases, values) : cases
    const areSpread = isSpread && rows.every(Array.isArray)
    return (/** @type {unknown} */ name, /** @type {any[]} */ ...rest) => {
      const options = rest.filter(part => typeof part !== 'function')
      const body = rest.find(part => typeof part === 'function')
      for (const [i, row] of rows.entries()) {
        const title = filledIn(nameOf(name), Array.isArray(row) ? row : [row], i)
        chain(title, ...options, body && (() => (areSpread ? body(...row) : body(row))))
      }
    }
  }
  return Object.assign(chain, {
    skipIf: (/** @type {unknown} */ condition) => (condition ? marked({ isSkipped: true }) : chain),
    runIf: (/** @type {unknown} */ condition) => (condition ? chain : marked({ isSkipped: true })),
    each: table(true),
    for: table(false)
  })
}

/**
 * Rows of a table that is a tagged template, whose first line names its columns.
 *
 * @param {string[]} texts
 * @param {unknown[]} values
 */
function rowsOf (texts, values) {
  const [header] = texts.join('').trim().replaceAll(' ', '').split('\n')
  const columns = header.split('|')
  return Array.from({ length: Math.floor(values.length / columns.length) }, (_, row) =>
    Object.fromEntries(columns.map((column, i) => [column, values[row * columns.length + i]]))
  )
}

const ON_ONE_LINE = { breakLength: Infinity, depth: Infinity, compact: true }
/** A value in a title is shorter than this. */
const LONGEST_VALUE = 40

/**
 * Fills in the title of a case, as vitest 4 does: `%s` and the like take a value each, `$a.b` takes a field and `$1` a
 * value by its index, `%#` and `%$` count the cases.
 *
 * @type {(title: string, values: any[], index: number) => string}
 */
function filledIn (title, values, index) {
  const numbered = title.replaceAll(/%[%#$]/g, mark => ({ '%#': `${index}`, '%$': `${index + 1}` })[mark] ?? mark)
  const most = numbered.split('%').length - 1
  let used = 0
  return numbered.replaceAll(/%[sdjifoOc%]|\$([$\w.]+)/g, (mark, /** @type {string | undefined} */ path) => {
    if (path !== undefined) return fieldOf(values, path)
    return used < most ? formatted(mark, values[used++]) : mark
  })
}

/** @type {(values: any[], path: string) => string} */
function fieldOf (values, path) {
  const [first] = values
  const isObject = typeof first === 'object' && first !== null
  const isIndex = /^\d+$/.test(path)
  if (!isObject && !isIndex) return `$${path}`
  const field = isObject ? path.split('.').reduce((value, key) => Object(value)[key], first) : undefined
  return displayed(field === undefined && isIndex ? values[Number(path)] : field)
}

/** @param {unknown} value */
function displayed (value) {
  const text = inspect(value, ON_ONE_LINE).replace(/^\[Function: /, '[Function ')
  if (text.length < LONGEST_VALUE) return text
  if (Array.isArray(value)) return `[ Array(${value.length}) ]`
  if (typeof value === 'string') return `'${value.slice(0, LONGEST_VALUE - 3)}…'`
  const keys = Object.keys(Object(value))
  return keys.length > 0 ? `{ Object (${keys.slice(0, 2).join(', ')}${keys.length > 2 ? ', ...' : ''}) }` : text
}

/** @type {(mark: string, value: any) => string} */
function formatted (mark, value) {
  const isObject = typeof value === 'object' && value !== null
  const hasText = isObject && typeof value.toString === 'function' && value.toString !== Object.prototype.toString
  if (mark === '%s' && hasText) return value.toString()
  return formatWithOptions(ON_ONE_LINE, mark === '%o' || (mark === '%s' && isObject) ? '%O' : mark, value)
}

/** The body of a suite runs after the file, or the body of the suite around it, has come to its end. */
export const describe = chainable((marks, name, ...rest) => {
  const { only, skip, todo } = Object(rest.find(part => typeof part === 'object'))
  const outer = suite
  const own = {
    name: [outer.name, nameOf(name)].filter(Boolean).join(' > '),
    parent: outer,
    isOnly: noteOnly(marks.isOnly || only, outer),
    isSkipped: outer.isSkipped || marks.isSkipped || skip || todo,
    beforeAll: [],
    afterAll: [],
    inner: []
  }
  const read = () => readSuite(
    own,
    rest.find(part => typeof part === 'function')
  )
  if (outer === file) collect(read)
  else outer.inner.push(read)
})
export { describe as suite }

/** @type {(own: Suite, body?: () => unknown) => Promise<void>} */
async function readSuite (own, body) {
  suite = own
  await body?.()
  suite = file
  for (const read of own.inner) await read()
}

/**
 * Marks the suites around a task or suite that is marked.
 *
 * @type {(isOnly: boolean | undefined, around: Suite) => boolean}
 */
function noteOnly (isOnly = false, around) {
  if (isOnly) for (const suite of outwards(around)) suite.hasOnly = true
  return isOnly
}

/**
 * In a marked suite without marked tasks, all tasks are chosen.
 *
 * @type {(isOnly: boolean | undefined, around?: Suite) => boolean}
 */
const isChosen = (isOnly = false, around) =>
  isOnly || (around !== undefined && !around.hasOnly && isChosen(around.isOnly, around.parent))

export const bench = chainable((marks, name, fn = () => {}, options = {}) => {
  const own = suite
  const task = new Task(undefined, nameOf(name), fn, options)
  noteOnly(marks.isOnly, own)
  register({
    format: 'vitest',
    group: own,
    name: nameOf(name),
    get isOnly () {
      return isChosen(marks.isOnly, own)
    },
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
          for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
        }
      }
    }
  })
})

/** @type {(suite: Suite) => Generator<Suite>} */
function * outwards (suite) {
  for (let at = /** @type {Suite | undefined} */ (suite); at; at = at.parent) yield at
}

/** @typedef {Map<string, (() => Promise<unknown>) | undefined>} Fixtures  Each function creates its fixture once. */

/** @type {(kind: 'beforeAll' | 'afterAll', fixtures?: Fixtures) => (hook: Function) => void} */
const hookOf = (kind, fixtures = new Map()) => hook => {
  suite[kind].push(async () => hook(await fixturesOf(hook, fixtures)))
}
export const beforeAll = hookOf('beforeAll')
export const afterAll = hookOf('afterAll')

const COMMENTS = /\/\*[^]*?\*\/|\/\/.*/g
/** Names that a function takes out of its first argument. */
const TAKEN = /^[^(={]*\(\s*\{([^}]*)\}/

/** @type {(f: Function, fixtures: Fixtures) => Promise<object>} */
async function fixturesOf (f, fixtures) {
  const [, text = ''] = TAKEN.exec(String(f).replaceAll(COMMENTS, '')) ?? []
  /** @type {Record<string, unknown>} */
  const taken = {}
  for (const [name] of text.matchAll(/[$\w]+/g)) if (fixtures.has(name)) taken[name] = await fixtures.get(name)?.()
  return taken
}

/**
 * @param {Fixtures} fixtures
 * @param {any} given  Fixtures by name, or a name, which a value or the function that returns it follows.
 * @param {any[]} rest  Options may come before the value.
 * @returns {Fixtures}
 */
function extended (fixtures, given, ...rest) {
  const own = new Map(fixtures)
  if (typeof given === 'string') {
    const value = rest.at(-1)
    const make = async (/** @type {any} */ context, /** @type {Function} */ use) => {
      let cleanUp = () => {}
      await use(await value(context, { onCleanup: (/** @type {() => void} */ f) => (cleanUp = f) }))
      await cleanUp()
    }
    const named = typeof value === 'function' ? Object.assign(make, { toString: () => String(value) }) : value
    return extended(fixtures, { [given]: rest.length > 1 ? [named, rest[0]] : named })
  }
  for (const [name, value] of Object.entries(given)) {
    const { scope } = Object(Array.isArray(value) && value[1])
    const make = scope ? value[0] : value
    /** @type {Promise<unknown> | undefined} */
    let created
    own.set(name, async () => {
      if (!scope || scope === 'test') throw new Error(`fixture ${name} is made for each test: give it scope: 'file'`)
      return (created ??= create(make, new Map(own).set(name, fixtures.get(name))))
    })
  }
  return own
}

/** @type {(() => unknown)[]}  Ends of the fixtures that were created. */
const cleanUps = []

/** @type {(make: any, fixtures: Fixtures) => Promise<unknown>} */
async function create (make, fixtures) {
  if (typeof make !== 'function') return make
  const context = await fixturesOf(make, fixtures)
  return new Promise((resolve, reject) => {
    /** @type {Promise<unknown>} */
    const made = make(context, (/** @type {unknown} */ value) => {
      resolve(value)
      return new Promise(resolve => {
        cleanUps.push(() => {
          resolve(undefined)
          return made
        })
      })
    })
    made.catch(reject)
  })
}

/**
 * Tests, and anything that a benchmark file may do with `expect`, `vi` and the like outside of a test, do nothing. But
 * a test has suites, and hooks that may take its fixtures.
 *
 * @type {(fixtures?: Fixtures) => any}
 */
const nothingWith = (fixtures = new Map()) => {
  /** @type {Record<string | symbol, unknown>} */
  const own = {
    then: undefined,
    describe,
    suite: describe,
    beforeAll: hookOf('beforeAll', fixtures),
    afterAll: hookOf('afterAll', fixtures),
    extend: (/** @type {[any, ...any]} */ ...given) => nothingWith(extended(fixtures, ...given))
  }
  return new Proxy(function () {}, {
    get: (_, key) => (key in own ? own[key] : nothing),
    apply: () => nothing,
    construct: () => nothing
  })
}
const nothing = nothingWith()
export {
  nothing as afterEach,
  nothing as aroundAll,
  nothing as aroundEach,
  nothing as assert,
  nothing as assertType,
  nothing as beforeEach,
  nothing as BenchmarkRunner,
  nothing as chai,
  nothing as createExpect,
  nothing as EvaluatedModules,
  nothing as expect,
  nothing as expectTypeOf,
  nothing as inject,
  nothing as it,
  nothing as onTestFailed,
  nothing as onTestFinished,
  nothing as recordArtifact,
  nothing as should,
  nothing as Snapshots,
  nothing as test,
  nothing as TestRunner,
  nothing as vi,
  nothing as vitest
}

/** Names that vitest's option `globals` provides. */
export const globals = {
  describe,
  suite: describe,
  beforeAll,
  afterAll,
  bench,
  beforeEach: nothing,
  afterEach: nothing,
  test: nothing,
  it: nothing,
  expect: nothing,
  vi: nothing
}
