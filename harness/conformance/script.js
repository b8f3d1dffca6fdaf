/**
 * What a trial did, as the code of a node:test test: steps, and what each firing does inside `expire`.
 *
 * @typedef {{code: string}} Line  May be put otherwise when its outcome is known.
 *
 * @typedef {object} Mark  A place in the script.
 * @property {number} lines
 * @property {number} callbacks
 * @property {boolean} insideExpire
 */

/** What an expire that throws says. */
export const THROWN = 'thrown by expire'

export class Script {
  /** @type {Line[]} */
  #lines = []
  /** @type {Line[][]} What the first firing does, the second, and so on. */
  #callbacks = []
  /** @type {string[]} Timers made inside expire. */
  #made = []
  #insideExpire = false

  /** @param {string} code */
  write (code) {
    const line = { code }
    if (this.#insideExpire) this.#callbacks[this.#callbacks.length - 1].push(line)
    else this.#lines.push(line)
    return line
  }

  /** @param {string} name */
  writeCreation (name) {
    if (this.#insideExpire) this.#made.push(name)
    return this.write(`${this.#insideExpire ? '' : 'const '}${name} = queue.createTimer('${name}')`)
  }

  enterExpire () {
    this.#callbacks.push([])
    this.#insideExpire = true
  }

  leaveExpire () {
    this.#insideExpire = false
  }

  get lastLine () {
    return this.#lines.at(-1)?.code ?? ''
  }

  /** @returns {Mark} here */
  mark () {
    return { lines: this.#lines.length, callbacks: this.#callbacks.length, insideExpire: this.#insideExpire }
  }

  /**
   * @param {object} test
   * @param {string} test.title
   * @param {string} test.remark
   * @param {string} test.className
   * @param {Mark} test.mark  Where it ends.
   * @param {string} test.assertion  What does not hold there; empty where the last line fails by itself.
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
    const callbacks = this.#callbacks.slice(0, mark.callbacks).map(codesOf)
    if (mark.insideExpire) callbacks.at(-1)?.push(assertion)
    const last = callbacks.findLastIndex(codes => codes.length > 0)
    if (last === -1) return ['const fired = []', 'const expire = timer => fired.push(queue.payloadOf(timer))']
    return [
      'const fired = []',
      'const inTurn = [',
      ...callbacks.slice(0, last + 1).map((codes, i) => `  () => ${printBody(codes)}${i < last ? ',' : ''}`),
      ']',
      'const expire = timer => {',
      '  fired.push(queue.payloadOf(timer))',
      '  inTurn.shift()?.()',
      '}'
    ]
  }
}

/** @param {Line[]} lines */
function codesOf (lines) {
  return lines.map(({ code }) => code).filter(code => code !== '')
}

/** @param {string[]} codes */
function printBody (codes) {
  return codes.length === 0 ? '{}' : `{ ${codes.join('; ')} }`
}

/** @param {string} code */
const indent = code => code === '' ? '' : `  ${code}`
