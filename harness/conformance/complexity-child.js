/** The process that counts a queue's work. Start it with WORK_FLAGS. */
import { answer } from '../processes/answer.js'
import { loadQueue } from '../measure/modules/load-queue.js'
import { startWorkCounter } from '../measure/work-counter.js'
import { watchBuiltIns } from './built-ins.js'
import { OPERATIONS } from './clauses.js'
import { checkComplexity } from './check-complexity.js'
import { checkPause } from './check-pause.js'

answer({
  /** @param {{queueUrl: string, clause?: string}} task */
  async check ({ queueUrl, clause }) {
    // Only modules loaded from here on are counted: the queue and what it imports.
    const blocks = startWorkCounter()
    const builtIns = watchBuiltIns()
    const { Queue, meta } = await loadQueue(queueUrl)
    const isWanted = (/** @type {string} */ name) => clause === undefined || clause === name
    const operations = OPERATIONS.filter(operation => isWanted(`complexity-${operation}`))
    const broken = checkComplexity(Queue, meta?.complexity, { blocks, builtIns }, operations)
    const pause = meta?.pause === 'bounded' && isWanted('pause') ? checkPause(Queue, meta.complexity, { blocks, builtIns }) : null
    if (pause !== null) broken.set('pause', pause)
    return { broken }
  }
})
