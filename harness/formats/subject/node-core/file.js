/** How a file of Node's runs: again and again, or once a process. */
import { fittingOperations, Unsupported } from './fit.js'
import { fittingOnce, needsProcess } from './once.js'
/** @import { NodeTask } from './fit.js' */

/** @type {(task: NodeTask, url: string) => Promise<{n?: number, runMs?: number}>} */
export async function fitFile (task, url) {
  if (!needsProcess(url)) {
    try {
      const n = await fittingOperations(task)
      return task.mostOperations ? { n } : {}
    } catch (error) {
      if (error instanceof Unsupported) throw error
    }
  }
  return fittingOnce(task, url)
}
