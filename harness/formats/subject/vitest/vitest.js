/**
 * The format of vitest: `bench(name, fn, options)` inside `describe`; from vitest 5 on, the fixture `bench` of a test,
 * which runs as in vitest. Other tests are left out.
 */
import { HookedTask, prepareTask } from '../hooked-task.js'
import { collect, forgetting, register, run } from '../tasks.js'
import { contextFor, extended, parametersOf, release, shared } from './fixtures.js'
import { filledIn, rowsOf } from './titles.js'
import { refused, refusing, vi } from './vi.js'
/** @import { Group } from '../tasks.js' */
/** @import { Fixtures, Scope } from './fixtures.js' */

/**
 * @typedef {'beforeAll' | 'afterAll' | 'beforeEach' | 'afterEach'} HookKind
 *
 * @typedef {Record<HookKind, ((scope?: Scope) => unknown)[]>} Hooks
 *
 * @typedef {object} Own
 * @property {string} name  Names of all enclosing suites, and its own.
 * @property {string} title  Its own name.
 * @property {Suite} [parent]
 * @property {boolean} [isOnly]
 * @property {boolean} [hasOnly]  A task, test or suite in it is marked.
 * @property {boolean} [isSkipped]
 * @property {(context?: object) => unknown} [body]
 * @property {Fixtures} [fixtures]  Fixtures of a test.
 * @property {Suite[]} members  Suites and tests in it, in this order.
 *
 * @typedef {Own & Hooks} Suite  A suite or test.
 *
 * @typedef {{isOnly?: boolean, isSkipped?: boolean}} Marks
 *
 * @typedef {object} Running
 * @property {unknown[]} faults
 * @property {Map<Suite, Promise<void>>} entered  Suites whose hooks before all tests have run.
 */

/** vitest loads the file and runs its tasks: nothing that the file keeps open delays them. */
const OF_VITEST = { format: 'vitest', isRunByTool: true }

/** @type {() => Hooks} */
const noHooks = () => ({ beforeAll: [], afterAll: [], beforeEach: [], afterEach: [] })

/** @type {Suite} */
const file = { name: '', title: '', members: [], ...noHooks() }
let suite = file
forgetting.push(() => Object.assign(file, { members: [], hasOnly: false, ...noHooks() }))

/** @param {unknown} name */
const nameOf = name => (typeof name === 'function' ? name.name || '<anonymous>' : String(name))

/** @type {Record<string, Marks>} */
const MARKS = {
  skip: { isSkipped: true },
  todo: { isSkipped: true },
  only: { isOnly: true },
  sequential: {},
  concurrent: {},
  shuffle: {},
  fails: {}
}

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
  for (const [name, more] of Object.entries(MARKS)) Object.defineProperty(chain, name, { get: () => marked(more) })
  const table = (/** @type {boolean} */ isSpread) => (/** @type {any} */ cases, /** @type {any[]} */ ...values) => {
    const rows = values.length > 0 ? rowsOf(cases, values) : cases
    const areSpread = isSpread && rows.every(Array.isArray)
    return (/** @type {unknown} */ name, /** @type {any[]} */ ...rest) => {
      const options = rest.filter(part => typeof part !== 'function')
      const body = rest.find(part => typeof part === 'function')
      for (const [i, row] of rows.entries()) {
        const title = filledIn(nameOf(name), Array.isArray(row) ? row : [row], i)
        const own = (/** @type {any[]} */ ...context) => (areSpread ? body(...row) : body(row, ...context))
        chain(title, ...options, body && Object.assign(own, { toString: () => String(body) }))
      }
    }
  }
  return Object.assign(chain, {
    skipIf: (/** @type {unknown} */ condition) => marked(condition ? MARKS.skip : {}),
    runIf: (/** @type {unknown} */ condition) => marked(condition ? {} : MARKS.skip),
    each: table(true),
    for: table(false)
  })
}

/** @type {(marks: Marks, name: unknown, rest: any[], fixtures?: Fixtures) => void} */
function add (marks, name, rest, fixtures) {
  const { only, skip, todo } = Object(rest.find(part => typeof part === 'object'))
  if (file.members.length === 0) collect(readFile)
  suite.members.push({
    title: nameOf(name),
    name: [suite.name, nameOf(name)].filter(Boolean).join(' > '),
    parent: suite,
    isOnly: noteOnly(marks.isOnly || only, suite),
    isSkipped: suite.isSkipped || marks.isSkipped || skip || todo,
    body: rest.find(part => typeof part === 'function'),
    fixtures,
    members: [],
    ...noHooks()
  })
}

export const describe = chainable((marks, name, ...rest) => add(marks, name, rest))
export { describe as suite }

/** Tests run once all suites are read. */
async function readFile () {
  await readSuite(file)
  /** @type {Running} */
  const running = { faults: [], entered: new Map() }
  await runTests(file, running)
  await release(shared)
  if (running.faults.length > 0) throw running.faults[0]
}

/**
 * The body of a suite runs after the file, or the body of the suite around it, has come to its end.
 *
 * @param {Suite} own
 */
async function readSuite (own) {
  suite = own
  await own.body?.()
  suite = file
  for (const member of own.members) if (!member.fixtures) await readSuite(member)
}

/** @type {(own: Suite, running: Running) => Promise<void>} */
async function runTests (own, running) {
  for (const member of own.members) {
    const { isSkipped, isOnly, fixtures } = member
    if (!fixtures) await runTests(member, running)
    else if (!isSkipped && (!file.hasOnly || isChosen(isOnly, own))) {
      await runTest(member, fixtures, running).catch(error => error === SKIPPED || running.faults.push(error))
    }
  }
  if (running.entered.has(own)) await callHooks(own, 'afterAll')
}

/** Thrown by a test that skips itself. */
const SKIPPED = Symbol('skipped')

/** @type {(own: Suite, fixtures: Fixtures, running: Running) => Promise<void>} */
async function runTest (own, fixtures, { entered }) {
  const suites = [...outwards(own)]
  /** @type {Scope} */
  const scope = { context: {}, cleanUps: [] }
  Object.assign(scope.context, {
    bench: benchOf(own),
    expect: nothing,
    annotate: nothing,
    onTestFailed: nothing,
    onTestFinished: (/** @type {() => unknown} */ f) => scope.cleanUps.push(f),
    signal: new AbortController().signal,
    skip (/** @type {unknown} */ condition = true) {
      if (condition) throw SKIPPED
    },
    task: { name: own.title }
  })
  for (const one of suites.toReversed()) {
    if (!entered.has(one)) entered.set(one, callHooks(one, 'beforeAll'))
    await entered.get(one)
  }
  try {
    for (const one of suites.toReversed()) await callHooks(one, 'beforeEach', scope)
    await own.body?.(await contextFor(own.body, fixtures, scope))
  } finally {
    for (const one of suites) await callHooks(one, 'afterEach', scope)
    await release(scope)
  }
}

/** Its result comes from a file: vitest does not run it. */
class Stored extends HookedTask {}

/**
 * The fixture of a test, which is held where it runs the measured task. Tasks that it compares are a group.
 *
 * @param {Suite} test
 */
function benchOf (test) {
  const runIn = async (/** @type {Group} */ group, /** @type {HookedTask} */ task, around = {}) => {
    const { name } = task
    const isSkipped = task instanceof Stored
    await run({ ...OF_VITEST, group, name, isSkipped, prepare: () => prepareTask(task, around) })
    return { name, ...task.result }
  }
  const runnable = (/** @type {HookedTask} */ task) =>
    Object.assign(task, {
      run: (/** @type {any} */ around) => runIn(around?.name ? { name: around.name } : test, task, around)
    })
  const bench = (/** @type {unknown} */ name, /** @type {any[]} */ ...rest) => {
    const [hooks, fn] = rest.length > 1 ? rest : [{}, rest[0]]
    if (typeof fn !== 'function') throw new TypeError('bench() expects a function: bench(name, options, fn)')
    return runnable(new HookedTask(nameOf(name), fn, hooks))
  }
  return Object.assign(bench, {
    from: (/** @type {unknown} */ name) => runnable(new Stored(nameOf(name), () => {})),
    async compare (/** @type {any[]} */ ...tasks) {
      const around = tasks.at(-1) instanceof HookedTask ? {} : tasks.pop()
      const group = { name: around.name ?? test.name }
      const results = new Map()
      for (const task of tasks) results.set(task.name, await runIn(group, task, around))
      return results
    }
  })
}

/** @type {(own: Suite, kind: HookKind, scope?: Scope) => Promise<void>} */
async function callHooks (own, kind, scope) {
  const hooks = own[kind]
  for (const hook of kind.startsWith('after') ? hooks.toReversed() : hooks) await hook(scope)
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
 * Whether a task is chosen when some are marked `only`. In a marked suite without marked tasks, all tasks are.
 *
 * @type {(isOnly: boolean | undefined, around?: Suite) => boolean}
 */
const isChosen = (isOnly = false, around) =>
  isOnly || (around !== undefined && !around.hasOnly && isChosen(around.isOnly, around.parent))

export const bench = chainable((marks, name, fn = () => {}, options = {}) => {
  const own = suite
  const task = new HookedTask(nameOf(name), fn, options)
  noteOnly(marks.isOnly, own)
  register({
    ...OF_VITEST,
    group: own,
    name: nameOf(name),
    get isOnly () {
      return isChosen(marks.isOnly, own)
    },
    isSkipped: own.isSkipped || marks.isSkipped,
    prepare: async () => {
      const suites = [...outwards(own)]
      for (const one of suites.toReversed()) await callHooks(one, 'beforeAll')
      const timed = await prepareTask(task, options)
      return {
        ...timed,
        end: async () => {
          await timed.end?.()
          for (const one of suites) await callHooks(one, 'afterAll')
          await release(shared)
        }
      }
    }
  })
})

/** @type {(suite: Suite) => Generator<Suite>} */
function * outwards (suite) {
  for (let at = /** @type {Suite | undefined} */ (suite); at; at = at.parent) yield at
}

/** @type {any}  Does nothing, whatever a benchmark file expects. */
const nothing = new Proxy(function () {}, {
  get: (_, key) => (key === 'then' ? undefined : nothing),
  apply: () => nothing,
  construct: () => nothing
})

/** @type {(kind: HookKind, fixtures: Fixtures) => (hook: Function) => void} */
const hookOf = (kind, fixtures) => hook => {
  suite[kind].push(async (scope = shared) => hook(await contextFor(hook, fixtures, scope)))
}

/** @param {unknown} body */
const takesBench = body => /\bbench\b/.test(parametersOf(body)) || /\.bench\b/.test(String(body))

/** @type {(fixtures?: Fixtures) => any} */
const testWith = (fixtures = new Map()) => {
  const own = chainable((marks, name, ...rest) => {
    const body = rest.find(part => typeof part === 'function')
    if (takesBench(body)) add(marks, name, rest, fixtures)
  })
  Object.assign(own, {
    describe,
    suite: describe,
    beforeAll: hookOf('beforeAll', fixtures),
    afterAll: hookOf('afterAll', fixtures),
    beforeEach: hookOf('beforeEach', fixtures),
    afterEach: hookOf('afterEach', fixtures),
    extend: (/** @type {[any, ...any]} */ ...given) => testWith(extended(fixtures, ...given))
  })
  return refusing('test', own)
}
export const test = testWith()
export const { beforeAll, afterAll, beforeEach, afterEach } = test
export const [aroundAll, aroundEach, inject, onTestFinished] = [
  'aroundAll', 'aroundEach', 'inject', 'onTestFinished'
].map(refused)
export {
  test as it,
  vi,
  vi as vitest,
  nothing as assert,
  nothing as assertType,
  nothing as chai,
  nothing as createExpect,
  nothing as expect,
  nothing as expectTypeOf,
  nothing as onTestFailed,
  nothing as recordArtifact,
  nothing as should
}
