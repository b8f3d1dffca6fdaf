/**
 * @typedef {object} PerfShares  Of all samples.
 * @property {number} samples
 * @property {number} kernel
 * @property {number} javascript
 * @property {number} native  Node, V8 and libraries.
 */

/** For example: 26.28%         2094  [kernel.kallsyms]  [k] finish_task_switch */
const ROW = /^\s*[\d.]+%\s+(\d+)\s+(.*?)\s+\[(.)\]\s+(.*)$/

/**
 * @param {string} text  perf report -F overhead,sample,dso,symbol
 * @returns {PerfShares}
 */
export function parsePerfReport (text) {
  const counts = { kernel: 0, javascript: 0, native: 0 }
  for (const line of text.split('\n')) {
    const [, samples, , privilege, symbol] = ROW.exec(line) ?? []
    if (samples === undefined) continue
    if (privilege === 'k') counts.kernel += Number(samples)
    else if (/^(JS|LazyCompile|Function|Script|Eval):/.test(symbol)) counts.javascript += Number(samples)
    else counts.native += Number(samples)
  }
  const samples = counts.kernel + counts.javascript + counts.native
  const share = (/** @type {number} */ count) => (samples === 0 ? 0 : count / samples)
  return { samples, kernel: share(counts.kernel), javascript: share(counts.javascript), native: share(counts.native) }
}
