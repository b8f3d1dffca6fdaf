/** The process that tries sequences on a queue. */
import { answer } from '../processes/answer.js'
import { loadQueue } from '../measure/modules/load-queue.js'
import { checkSequences, checkSequencesBriefly } from './check-sequences.js'
import { faultsOfMeta, promisesOf } from './declaration.js'

answer({
  /** @param {{queueUrl: string}} task */
  async load ({ queueUrl }) {
    const { meta } = await loadQueue(queueUrl)
    return { faults: faultsOfMeta(meta) }
  },

  /** @param {{queueUrl: string, seed: number, quick: boolean}} task */
  async check ({ queueUrl, seed, quick }) {
    const { Queue, meta } = await loadQueue(queueUrl)
    const check = quick ? checkSequencesBriefly : checkSequences
    return check({ Queue, declared: promisesOf(meta), seed })
  }
})
