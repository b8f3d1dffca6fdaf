/** Fixtures of vitest's extended tests: each is created once a scope, where a function names it. */

/**
 * @typedef {object} Scope  A test, or the file.
 * @property {Record<string, unknown>} context
 * @property {(() => unknown)[]} cleanUps  Ends of the fixtures that were created.
 *
 * @typedef {object} Fixture
 * @property {boolean} isAuto  Created for each test.
 * @property {boolean} isShared  Created once a file.
 * @property {(scope: Scope) => Promise<unknown>} create  Creates it once a scope.
 *
 * @typedef {Map<string, Fixture | undefined>} Fixtures
 */

/** @type {Scope} */
export const shared = { context: {}, cleanUps: [] }

const COMMENTS = /\/\*[^]*?\*\/|\/\/.*/g
const PARAMETERS = /^[^]*?(?:=>|\)\s*\{)/

/** @param {unknown} f */
export const parametersOf = f => PARAMETERS.exec(String(f).replaceAll(COMMENTS, ''))?.[0] ?? ''

/**
 * The context of a function, with the fixtures that its parameters name.
 *
 * @type {(f: Function, fixtures: Fixtures, scope: Scope) => Promise<Record<string, unknown>>}
 */
export async function contextFor (f, fixtures, scope) {
  /** @type {string[]} */
  const names = parametersOf(f).match(/[$\w]+/g) ?? []
  const context = { ...scope.context }
  for (const [name, fixture] of fixtures) {
    const isTaken = names.includes(name) || (fixture?.isAuto && scope !== shared)
    if (isTaken && fixture) context[name] = await fixture.create(scope)
  }
  return context
}

/**
 * @param {Fixtures} fixtures
 * @param {any} given  Fixtures by name, or a name, which a value or the function that returns it follows.
 * @param {any[]} rest  Options may come before the value.
 * @returns {Fixtures}
 */
export function extended (fixtures, given, ...rest) {
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
    const parent = fixtures.get(name)
    const options = Object(Array.isArray(value) && value[1])
    const isMarked = ['auto', 'injected', 'scope'].some(key => key in options)
    const { scope: kind = 'test', auto: isAuto = false } = options
    const isShared = isMarked ? kind !== 'test' : parent?.isShared === true
    /** @type {WeakMap<Scope, Promise<unknown>>} */
    const created = new WeakMap()
    own.set(name, {
      isAuto: isMarked ? isAuto : parent?.isAuto === true,
      isShared,
      async create (scope) {
        const at = isShared ? shared : scope
        if (!isShared && at === shared) throw new Error(`fixture ${name} is made for each test: give it scope: 'file'`)
        if (!created.has(at)) created.set(at, create(isMarked ? value[0] : value, new Map(own).set(name, parent), at))
        return created.get(at)
      }
    })
  }
  return own
}

/** @type {(make: any, fixtures: Fixtures, scope: Scope) => Promise<unknown>} */
async function create (make, fixtures, scope) {
  if (typeof make !== 'function') return make
  const context = await contextFor(make, fixtures, scope)
  return new Promise((resolve, reject) => {
    /** @type {Promise<unknown>} */
    const made = make(context, (/** @type {unknown} */ value) => {
      resolve(value)
      return new Promise(resolve => {
        scope.cleanUps.push(() => {
          resolve(undefined)
          return made
        })
      })
    })
    made.catch(reject)
  })
}

/** @param {Scope} scope */
export async function release ({ cleanUps }) {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
}
