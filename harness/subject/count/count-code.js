/**
 * Counts the basic blocks that a workload without a queue executes in the user's own modules: not in packages, nor in
 * Node.
 */
import { randomInt } from 'node:crypto'
import { createRandom } from '../../model/random.js'
import { cpuMs } from '../../processes/clock.js'
import { sourceOf } from '../modules/load.js'
import { startWorkCounter } from './work-counter.js'
import { runOnce } from '../micro/code-subject.js'
/** @import { MicroJob } from '../../measure/micro/queue-process.js' */
/** @import { CodeSource } from '../modules/load.js' */
/** @import { CountedFunction } from './work-counter.js' */

/** Other draws, from which the counter learns the blocks of the code first (see find-blocks.js). */
const EXERCISES = 3
const COUNTED_CYCLES = 4
const SEEDS = 2 ** 31

/**
 * Needs WORK_FLAGS.
 *
 * @param {MicroJob} job
 * @returns {Promise<{workPerOp?: number, functions?: CountedFunction[], firstWorkPerOp?: number,
 *   nextWorkPerOp?: number, loadMs: number, usedMs: number}>} no counts where a phase is awaited, or times a part of
 *   itself; `functions`: blocks per operation; `firstWorkPerOp` and `nextWorkPerOp`: of draws that no process has seen
 *   before, and of the same again; CPU time until the workload was there, and in all
 */
export async function countCodeBlocks (job) {
  const source = await sourceOf(job)
  // Scripts that are loaded by now are not counted.
  const counter = startWorkCounter({ isCounted: url => !url.includes('/node_modules/') })
  let loadMs = 0
  const spent = () => ({ loadMs, usedMs: cpuMs() })
  for (let seed = 0; seed < EXERCISES; seed++) {
    const isCountable = await withWorkload(source, seed, async ({ phases, meter }) => {
      loadMs ||= cpuMs()
      // Blocks outside of the timed part would count, too.
      if (meter) return false
      for (const phase of phases) {
        if (await runOnce([phase])) return false
        counter.count()
      }
      return true
    })
    if (!isCountable) return spent()
  }
  const counted = await withWorkload(source, job.seed, async ({ phases, drawsNothing }) => {
    const runCycle = () => phases.forEach(phase => phase.run())
    runCycle()
    counter.count()
    const countCycles = () => {
      for (let cycle = 0; cycle < COUNTED_CYCLES; cycle++) runCycle()
      return counter.count()
    }
    const blocks = countCycles()
    const perOp = (/** @type {number} */ blocks) => blocks / (COUNTED_CYCLES * phases[0].operations)
    const functions = counter.functions().map(one => ({ ...one, blocks: perOp(one.blocks) }))
    // A task whose work depends on what ran before has no exact count, nor has code that Vite evaluates.
    if (drawsNothing) return blocks === 0 || countCycles() !== blocks ? {} : { workPerOp: perOp(blocks), functions }
    return { workPerOp: perOp(blocks), functions, ...(await countFreshDraws()) }
  })
  return { ...counted, ...spent() }

  function countFreshDraws () {
    return withWorkload(source, randomInt(SEEDS), ({ phases }) => {
      counter.count()
      const [firstWorkPerOp, nextWorkPerOp] = [0, 1].map(() => {
        for (const phase of phases) phase.run()
        return counter.count() / phases[0].operations
      })
      return { firstWorkPerOp, nextWorkPerOp }
    })
  }
}

/**
 * @template T
 * @param {CodeSource} source
 * @param {number} seed
 * @param {(workload: Awaited<ReturnType<CodeSource['create']>>) => T} use
 */
async function withWorkload ({ create }, seed, use) {
  const workload = await create(createRandom(seed))
  const result = await use(workload)
  await workload.end?.()
  return result
}
