/** The reference model's outcome of a workload: every exact queue must fire the same timers in the verified cycles. */
import { SampleError } from '../../model/errors.js'
import { Child } from '../../processes/child.js'
import { PROCESS } from '../../processes/entries.js'
import { fired } from '../../processes/shapes.js'
import { CHECK_LIMIT_MS } from './queue-process.js'
/** @import { Runtime } from '../../processes/child.js' */
/** @import { Fired, MicroJob } from './queue-process.js' */

const MODEL = new URL('../../subject/trust/model-queue.js', import.meta.url).href

/** One process answers for all heats of a run: every heat draws a new workload. */
export class Reference {
  #runtime
  /** @type {Child | undefined} */
  #child

  /** @param {Runtime} [runtime] */
  constructor (runtime) {
    this.#runtime = runtime
  }

  /**
   * @param {Omit<MicroJob, 'queueUrl'>} job
   * @param {AbortSignal} [signal]  The same for all workloads of a run.
   * @returns {Promise<Fired>}
   * @throws {SampleError} when the model's process was killed, which is no fault of the queues
   */
  async outcomeOf ({ scenarioUrl, params, seed, trace }, signal) {
    const child = (this.#child ??= new Child(PROCESS, { runtime: this.#runtime, signal }))
    const request = { type: 'verify', scenarioUrl, params, seed, trace, queueUrl: MODEL }
    try {
      return await child.ask(request, CHECK_LIMIT_MS, fired)
    } catch (error) {
      if (this.#child === child) await this.end()
      if (!(error instanceof SampleError)) throw error
      throw new SampleError(error.kind === 'crash' ? 'load' : error.kind, `the reference model: ${error.message}`)
    }
  }

  async end () {
    const child = this.#child
    this.#child = undefined
    await child?.end()
  }
}
