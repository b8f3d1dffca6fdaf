/** Basic blocks that an operation executes. */
import { formatNumber } from '../../model/numbers.js'
import { callOnce } from '../../processes/child.js'
import { fits, isAmount, isPositiveCount, isText, listOf } from '../../processes/shapes.js'
import { countWith, WORK_FLAGS } from '../micro/count.js'
import { warnOfLoading } from '../micro/loading.js'
/** @import { Warning } from '../../model/warnings.js' */
/** @import { MeasureCell } from '../instruments.js' */

const OF_QUEUE = new URL('../../subject/count/count-queue.js', import.meta.url)
const OF_CODE = new URL('../../subject/count/count-code.js', import.meta.url)
/** Without counts where a phase is awaited. */
const COUNTED_CODE = {
  loadMs: isAmount,
  usedMs: isAmount,
  'workPerOp?': isAmount,
  'functions?': listOf(fits({ name: isText, file: isText, 'line?': isPositiveCount, blocks: isAmount })),
  'firstWorkPerOp?': isAmount,
  'nextWorkPerOp?': isAmount
}
/** Blocks of a cycle of new draws, in blocks of the same again, from which on results must have been kept. */
const REMEMBERED = 1.25

const countQueue = countWith(OF_QUEUE, 'count', { flags: WORK_FLAGS, shape: { workPerOp: isAmount } })

/** @type {MeasureCell} */
export const measureCell = (job, options) => (job.microJob.isCode ? countCode(job, options) : countQueue(job, options))

/** @type {MeasureCell}  Details: blocks per operation, by function. */
async function countCode ({ microJob, runtime }, { limitMs, signal }) {
  const options = { runtime, flags: WORK_FLAGS, limitMs, shape: COUNTED_CODE, signal }
  const { functions, firstWorkPerOp, nextWorkPerOp, loadMs, usedMs, ...metrics } =
    await callOnce(OF_CODE, 'countCodeBlocks', microJob, options)
  return {
    metrics,
    ...(functions && { details: { functions } }),
    warnings: [
      ...(firstWorkPerOp > REMEMBERED * nextWorkPerOp ? [warnOfMemory(firstWorkPerOp, nextWorkPerOp)] : []),
      ...warnOfLoading(loadMs, usedMs)
    ]
  }
}

/** @type {(first: number, next: number) => Warning} */
const warnOfMemory = (first, next) => ({
  kind: 'remembered',
  text:
    `${formatNumber(first)} blocks per operation for new ones, ${formatNumber(next)} when they repeat, ` +
    'as they do in every cycle but the first'
})
