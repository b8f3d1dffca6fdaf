/** Calls of a trial as the code of a node:test test: those outside callbacks, and those of each firing's callback. */

/** Message of the error that `expire` throws. */
export const THROWN = 'thrown by expire'

/** @typedef {string | (() => string[])} Line  A function is called when the test is printed. */

export class Script {
  /** Number of the firing in whose callback calls are written, from 1; 0 outside callbacks. */
  firing = 0
  /** Code of every callback. */
  inside = ''
  /**
   * Lines by firing.
   *
   * @type {Map<number, Line[]>}
   */
  #lines = new Map([[0, []]])
  /**
   * Timers made in callbacks.
   *
   * @type {string[]}
   */
  #made = []

  /** Lines of this firing. */
  get lines () {
    const lines = this.#lines.get(this.firing) ?? []
    this.#lines.set(this.firing, lines)
    return lines
  }

  /** @param {Line} line */
  write (line) {
    this.lines.push(line)
  }

  /** Removes the latest call, to be replaced. */
  dropLast () {
    this.#lines.set(this.firing, codesOf(this.lines).slice(0, -1))
  }

  /**
   * @param {string} name  Name of the timer.
   * @param {string} payload  Code.
   */
  writeCreation (name, payload) {
    if (this.firing > 0) this.#made.push(name)
    this.write(`${this.firing > 0 ? '' : 'const '}${name} = queue.createTimer(${payload})`)
  }

  /** The latest call of this firing. */
  get lastCall () {
    if (this.inside !== '' && this.firing > 0) return this.inside
    return codesOf(this.lines).at(-1) ?? 'the constructor'
  }

  /**
   * @param {string} title
   * @param {string} remark
   * @param {string} className
   */
  print (title, remark, className) {
    const [calls, ...callbacks] = [...this.#lines.values()].map(codesOf)
    const firings = [...this.#lines.keys()].slice(1)
    const bodies = callbacks.map((codes, i) => `    ${firings[i]}: () => { ${codes.join('; ')} }`)
    const all = [calls, ...callbacks].flat().join('\n')
    return [
      `// ${remark}`,
      `test('${title}', () => {`,
      `  const queue = new ${className}()`,
      ...(all.includes('timers') ? ['  const timers = []'] : []),
      ...(this.#made.length > 0 ? [`  let ${this.#made.join(', ')}`] : []),
      ...(all.includes('expire)') ? codeOfExpire(bodies, this.inside) : []),
      '',
      ...calls.map(code => `  ${code}`),
      '})'
    ].join('\n')
  }
}

/** @param {Line[]} lines */
const codesOf = lines => lines.flatMap(line => (typeof line === 'string' ? [line] : line()))

/**
 * @param {string[]} bodies  Code of callbacks.
 * @param {string} inside  Code of every callback.
 */
function codeOfExpire (bodies, inside) {
  const fired = 'fired.push(queue.payloadOf(timer))'
  if (bodies.length === 0 && inside === '') return ['  const fired = []', `  const expire = timer => ${fired}`]
  return [
    '  const fired = []',
    ...(bodies.length > 0 ? ['  const insideFiring = {', bodies.join(',\n'), '  }'] : []),
    '  const expire = timer => {',
    `    ${fired}`,
    ...(inside === '' ? [] : [`    ${inside.replace(/\bi\b/g, 'fired.length')}`]),
    ...(bodies.length > 0 ? ['    insideFiring[fired.length]?.()'] : []),
    '  }'
  ]
}
