/** Writes down a trial as the code of a node:test test: its calls, and the calls of each callback. */
/** @import { Fault } from './follower.js' */

/** Message of the error that `expire` throws. */
export const THROWN = 'thrown by expire'

/** @typedef {{codes: () => string[]}} Line  Several pieces of code for a loop. */

export class Script {
  /** Number of the firing in whose callback calls are written, from 1; 0 outside callbacks. */
  firing = 0
  /** Code of every callback. */
  inside = ''
  /** Whether calls are written as those of a second queue. */
  isBeside = false
  /**
   * Lines by firing.
   *
   * @type {Map<number, Line[]>}
   */
  #lines = new Map()
  /**
   * Timers made in callbacks.
   *
   * @type {string[]}
   */
  #made = []

  /**
   * @param {string | (() => string[])} code  A function is called when the test is printed.
   * @returns {Line}
   */
  write (code) {
    const codes = typeof code === 'string' ? () => [code] : code
    const line = { codes: this.isBeside ? () => codes().map(besides) : codes }
    const lines = this.#lines.get(this.firing)
    if (lines) lines.push(line)
    else this.#lines.set(this.firing, [line])
    return line
  }

  /**
   * @param {string} name  Name of the timer.
   * @param {string} payload  Code.
   */
  writeCreation (name, payload) {
    if (this.firing > 0) this.#made.push(name)
    this.write(`${this.firing > 0 ? '' : 'const '}${name} = queue.createTimer(${payload})`)
  }

  /** The latest call outside callbacks. */
  get lastCall () {
    return this.#codesIn(0).at(-1) ?? 'the constructor'
  }

  /**
   * @param {string} title
   * @param {string} remark
   * @param {string} className
   * @param {Fault} fault
   */
  print (title, remark, className, fault) {
    const { assertion, firing, replaces } = fault
    const codes = new Map([...this.#lines.keys(), firing].map(key => [key, this.#codesIn(key)]))
    const failing = /** @type {string[]} */ (codes.get(firing))
    if (replaces) failing.pop()
    if (assertion !== '') failing.push(this.isBeside ? besides(assertion) : assertion)

    const calls = codes.get(0) ?? []
    codes.delete(0)
    const all = [calls, ...codes.values()].flat().join('\n')
    return [
      `// ${remark}`,
      `test('${title}', () => {`,
      `  const queue = new ${className}()`,
      ...(/\bother\b/.test(all) ? [`  const other = new ${className}()`] : []),
      ...(all.includes('timers') ? ['  const timers = []'] : []),
      ...(this.#made.length > 0 ? [`  let ${this.#made.join(', ')}`] : []),
      ...(calls.some(code => code.includes('expire)')) ? codeOfExpire(codes, this.inside) : []),
      ...(all.includes('otherExpire)') ? codeOfExpire(new Map(), '').map(besides) : []),
      '',
      ...calls.map(code => `  ${code}`),
      '})'
    ].join('\n')
  }

  /** @param {number} firing */
  #codesIn (firing) {
    return (this.#lines.get(firing) ?? []).flatMap(({ codes }) => codes())
  }
}

/** @type {Record<string, string>} */
const BESIDE = { queue: 'other', expire: 'otherExpire', fired: 'otherFired' }
/** @param {string} code */
const besides = code => code.replace(/\b(queue|expire|fired)\b/g, word => BESIDE[word])

/**
 * @param {Map<number, string[]>} callbacks  Code by firing.
 * @param {string} inside  Code of every callback.
 */
function codeOfExpire (callbacks, inside) {
  const fired = '  const fired = []'
  const bodies = [...callbacks].map(([firing, codes]) => `    ${firing}: () => { ${codes.join('; ')} }`)
  if (bodies.length === 0 && inside === '') {
    return [fired, '  const expire = timer => fired.push(queue.payloadOf(timer))']
  }
  return [
    fired,
    ...(bodies.length > 0 ? ['  const insideFiring = {', bodies.join(',\n'), '  }'] : []),
    '  const expire = timer => {',
    '    fired.push(queue.payloadOf(timer))',
    ...(inside === '' ? [] : [`    ${inside.replace(/\bi\b/g, 'fired.length')}`]),
    ...(bodies.length > 0 ? ['    insideFiring[fired.length]?.()'] : []),
    '  }'
  ]
}
