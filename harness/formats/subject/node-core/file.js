/** How a file of Node's runs: again and again, or once a process. */
import { fittingOperations, Unsupported } from './fit.js'
import { fittingOnce, needsProcess } from './once.js'
/** @import { Fit } from '../tasks.js' */
/** @import { NodeTask } from './fit.js' */

/** Processes of a heat for each entrant, after the first two, where every run is a process. */
const ONCE_TURNS = 4

/** @type {(task: NodeTask, url: string) => Promise<Fit>} */
export async function fitFile (task, url) {
  if (!needsProcess(url)) {
    try {
      const n = await fittingOperations(task)
      return describe(task.mostOperations ? n : undefined)
    } catch (error) {
      if (error instanceof Unsupported) throw error
    }
  }
  const { n, runMs } = await fittingOnce(task, url)
  return {
    ...describe(n),
    // A turn is a run, or several short ones.
    timing: { turns: ONCE_TURNS, leadMs: 0, turnMs: runMs / 2 },
    // One run in a cold process gives other figures than repeated runs.
    mode: { name: 'once a process', title: 'one run a process' },
    of: { isOnce: true }
  }
}

/** @type {(n: number | undefined) => Fit} */
const describe = n => ({
  depth: 2,
  ...(n && { parameters: { n: { title: 'operations of a run', minimum: 1 } }, values: { n: [n] } })
})
