/** Writes down a trial as the code of a node:test test: its calls, and the calls of each callback. */
/** @import { Fault } from './follower.js' */

/** Message of the error that `expire` throws. */
export const THROWN = 'thrown by expire'

/** @typedef {{codes: () => string[]}} Line  Several pieces of code for a loop. */

export class Script {
  /** Number of the firing in whose callback calls are written, from 1; 0 outside callbacks. */
  firing = 0
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
    const line = { codes: typeof code === 'string' ? () => [code] : code }
    const lines = this.#lines.get(this.firing)
    if (lines) lines.push(line)
    else this.#lines.set(this.firing, [line])
    return line
  }

  /** @param {string} name  Name of the timer. */
  writeCreation (name) {
    if (this.firing > 0) this.#made.push(name)
    this.write(`${this.firing > 0 ? '' : 'const '}${name} = queue.createTimer('${name}')`)
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
    if (assertion !== '') failing.push(assertion)

    const calls = codes.get(0) ?? []
    codes.delete(0)
    const all = [calls, ...codes.values()].flat().join('\n')
    return [
      `// ${remark}`,
      `test('${title}', () => {`,
      `  const queue = new ${className}()`,
      ...(all.includes('timers') ? ['  const timers = []'] : []),
      ...(this.#made.length > 0 ? [`  let ${this.#made.join(', ')}`] : []),
      ...(calls.some(code => code.includes('expire)')) ? codeOfExpire(codes) : []),
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

/** @param {Map<number, string[]>} callbacks  Code by firing. */
function codeOfExpire (callbacks) {
  const fired = '  const fired = []'
  const bodies = [...callbacks].map(([firing, codes]) => `    ${firing}: () => { ${codes.join('; ')} }`)
  if (bodies.length === 0) return [fired, '  const expire = timer => fired.push(queue.payloadOf(timer))']
  return [
    fired,
    '  const insideFiring = {',
    bodies.join(',\n'),
    '  }',
    '  const expire = timer => {',
    '    fired.push(queue.payloadOf(timer))',
    '    insideFiring[fired.length]?.()',
    '  }'
  ]
}
