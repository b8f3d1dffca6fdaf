/**
 * Writes down what a trial does as the code of a node:test test: its steps, and what each firing does inside `expire`.
 *
 * @typedef {{code: string}} Line  Rewritten once its outcome is known.
 *
 * @typedef {object} Mark  A place in the script.
 * @property {number} lines
 * @property {number} firings
 * @property {boolean} insideExpire
 */

/** The message of the error that expire throws. */
export const THROWN = 'thrown by expire'

/** A line of code that is repeated for i = 0, 1, 2 ... */
export class Repetition {
  times = 0
  #body

  /** @param {string} body  Code in terms of i. */
  constructor (body) {
    this.#body = body
  }

  get code () {
    return this.times === 0 ? '' : `for (let i = 0; i < ${this.times}; i++) ${this.#body}`
  }
}

export class Script {
  /** @type {Line[]} */
  #lines = []
  #firings = 0
  /** @type {Map<number, Line[]>} What firings do, by their number, counted from 1. */
  #callbacks = new Map()
  /** @type {string[]} Names of timers made inside expire. */
  #made = []
  #insideExpire = false

  /** @param {string} code */
  write (code) {
    const line = { code }
    if (!this.#insideExpire) {
      this.#lines.push(line)
      return line
    }
    const callback = this.#callbacks.get(this.#firings)
    if (callback) callback.push(line)
    else this.#callbacks.set(this.#firings, [line])
    return line
  }

  /** @param {string} body  Code in terms of i. */
  writeRepetition (body) {
    const line = new Repetition(body)
    this.#lines.push(line)
    return line
  }

  /** @param {string} name */
  writeCreation (name) {
    if (this.#insideExpire) this.#made.push(name)
    return this.write(`${this.#insideExpire ? '' : 'const '}${name} = queue.createTimer('${name}')`)
  }

  enterExpire () {
    this.#firings++
    this.#insideExpire = true
  }

  leaveExpire () {
    this.#insideExpire = false
  }

  get lastLine () {
    return this.#lines.at(-1)?.code ?? ''
  }

  /** @returns {Mark} the current place */
  mark () {
    return { lines: this.#lines.length, firings: this.#firings, insideExpire: this.#insideExpire }
  }

  /**
   * @param {object} test
   * @param {string} test.title
   * @param {string} test.remark
   * @param {string} test.className
   * @param {Mark} test.mark  Where the test ends.
   * @param {string} test.assertion  Fails there; empty if the last line fails by itself.
   */
  print ({ title, remark, className, mark, assertion }) {
    const made = this.#made.length > 0 ? [`let ${this.#made.join(', ')}`] : []
    const lines = codesOf(this.#lines.slice(0, mark.lines))
    const last = assertion && !mark.insideExpire ? [assertion] : []
    const expire = [...lines, ...last].some(code => code.includes('expire)')) ? this.#printExpire(mark, assertion) : []
    return [
      `// ${remark}`,
      `test('${title}', () => {`,
      ...[`const queue = new ${className}()`, ...made, ...expire, '', ...lines, ...last].map(indent),
      '})'
    ].join('\n')
  }

  /**
   * @param {Mark} mark
   * @param {string} assertion
   */
  #printExpire (mark, assertion) {
    const callbacks = [...this.#callbacks].filter(([firing]) => firing <= mark.firings)
      .map(([firing, lines]) => ({ firing, codes: codesOf(lines) }))
    if (mark.insideExpire) {
      const last = callbacks.at(-1)
      if (last?.firing === mark.firings) last.codes.push(assertion)
      else callbacks.push({ firing: mark.firings, codes: [assertion] })
    }
    const bodies = callbacks.filter(({ codes }) => codes.length > 0)
      .map(({ firing, codes }) => `  ${firing}: () => { ${codes.join('; ')} }`)
    if (bodies.length === 0) return ['const fired = []', 'const expire = timer => fired.push(queue.payloadOf(timer))']
    return [
      'const fired = []',
      'const insideFiring = {',
      ...bodies.map((body, i) => i < bodies.length - 1 ? `${body},` : body),
      '}',
      'const expire = timer => {',
      '  fired.push(queue.payloadOf(timer))',
      '  insideFiring[fired.length]?.()',
      '}'
    ]
  }
}

/** @param {Line[]} lines */
function codesOf (lines) {
  return lines.map(({ code }) => code).filter(code => code !== '')
}

/** @param {string} code */
const indent = code => code === '' ? '' : `  ${code}`
