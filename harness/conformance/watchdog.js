/** Ends what would run for ever, in the process where it runs. */
import vm from 'node:vm'

const context = vm.createContext({ operate: () => {} })
const call = new vm.Script('operate()')

/**
 * @param {() => void} operate
 * @param {number} limitMs
 * @returns {boolean} whether it came back in time
 */
export function returnsWithin (operate, limitMs) {
  context.operate = operate
  try {
    call.runInContext(context, { timeout: limitMs })
    return true
  } catch (error) {
    if (/** @type {any} */ (error).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    return false
  }
}
