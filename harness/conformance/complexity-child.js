/** The process that counts a queue's work. Start it with WORK_FLAGS. */
import { answer } from '../processes/answer.js'
import { loadQueue } from '../modules/load-queue.js'
import { startWorkCounter } from '../work-counter.js'
import { watchBuiltIns } from './built-ins.js'
import { checkComplexity } from './check-complexity.js'

answer({
  /** @param {{queueUrl: string}} task */
  async check ({ queueUrl }) {
    // Only modules loaded from here on are counted: the queue and what it imports.
    const blocks = startWorkCounter()
    const builtIns = watchBuiltIns()
    const { Queue, meta } = await loadQueue(queueUrl)
    return { broken: checkComplexity(Queue, meta?.complexity, { blocks, builtIns }) }
  }
})
