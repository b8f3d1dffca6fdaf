/**
 * The object `vi`: functions that stand for others, and other variables of the environment and globals. The rest, such
 * as mocked modules and timers, would change what is measured, and is refused by name.
 */
import { isPromise } from '../../../model/promise.js'

/** @type {(name: string) => () => never} */
export const refused = name => () => {
  throw new Error(`${name} of vitest is not supported`)
}

/**
 * Refuses what the object lacks.
 *
 * @type {(name: string, own: object) => any}
 */
export const refusing = (name, own) =>
  new Proxy(own, {
    get: (_, key) => (key in own || typeof key === 'symbol' ? Reflect.get(own, key) : refused(`${name}.${key}`)())
  })

/** A mock does not record its calls: they are too many. */
function fn (/** @type {Function} */ implementation = () => {}) {
  let current = implementation
  /** @type {(this: any, ...args: any[]) => any} */
  function call (...args) {
    return new.target ? Reflect.construct(current, args) : current.apply(this, args)
  }
  const mockImplementation = (/** @type {Function} */ f) => {
    current = f
    return mock
  }
  /** @type {any} */
  const mock = Object.assign(call, {
    mockImplementation,
    mockReturnValue: (/** @type {unknown} */ value) => mockImplementation(() => value),
    mockResolvedValue: (/** @type {unknown} */ value) => mockImplementation(async () => value)
  })
  return Object.defineProperty(mock, 'mock', { get: refused('the record of calls of vi.fn') })
}

/** @type {Record<string, (() => unknown)[]>}  Functions that undo what was put in place of others. */
const undo = { spies: [], variables: [], globals: [] }

/** @type {(kind: string, object: any, key: string, value: unknown) => void} */
function put (kind, object, key, value) {
  const own = Object.getOwnPropertyDescriptor(object, key)
  undo[kind].unshift(() => (own ? Object.defineProperty(object, key, own) : delete object[key]))
  Object.defineProperty(object, key, { value, configurable: true, enumerable: true, writable: true })
}

const undoing = (/** @type {string} */ kind) => () => {
  for (const undone of undo[kind].splice(0)) undone()
}

/** Imports were evaluated before: what is done for them alone would be too late. */
const asGiven = (/** @type {unknown} */ value) => value ?? refused('vi.hoisted without a result')()

export const vi = refusing('vi', {
  fn,
  spyOn (/** @type {any} */ object, /** @type {string} */ key, /** @type {unknown} */ accessor) {
    if (accessor) refused('vi.spyOn of an accessor')()
    const spy = fn(object[key])
    put('spies', object, key, spy)
    return spy
  },
  hoisted (/** @type {() => unknown} */ make) {
    const made = make()
    return isPromise(made) ? made.then(asGiven) : asGiven(made)
  },
  mocked: (/** @type {unknown} */ value) => value,
  clearAllMocks () {},
  restoreAllMocks: undoing('spies'),
  stubEnv (/** @type {string} */ name, /** @type {unknown} */ value) {
    put('variables', process.env, name, `${value}`)
    if (value === undefined) delete process.env[name]
  },
  stubGlobal: (/** @type {string} */ name, /** @type {unknown} */ value) => put('globals', globalThis, name, value),
  unstubAllEnvs: undoing('variables'),
  unstubAllGlobals: undoing('globals')
})
