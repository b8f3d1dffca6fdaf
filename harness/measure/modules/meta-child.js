/** Loads a queue that is not timerq's own, in the place of a process that must not run its code. */
import { answer } from '../../processes/answer.js'
import { loadQueue } from './load-queue.js'
import { UsageError } from '../../model/errors.js'

answer({
  /** @param {{url: string}} task */
  async declare ({ url }) {
    try {
      const { meta } = await loadQueue(url)
      // As it will be kept: functions, for example, are lost.
      return { meta: JSON.parse(JSON.stringify(meta ?? null)) }
    } catch (error) {
      if (error instanceof UsageError) return { refusal: error.message }
      throw error
    }
  }
})
