/** Bytes of memory that a pending timer takes. */
import { countWith, WORK_FLAGS } from '../micro/count.js'

const SCALES = new URL('../../subject/count/weigh.js', import.meta.url)
/** The heap is the same to the byte when no code comes or goes in the background. */
const FLAGS = [...WORK_FLAGS, '--expose-gc', '--single-threaded', '--no-flush-bytecode']

export const measureCell = countWith(SCALES, 'weigh', {
  flags: FLAGS,
  // Negative where a heap became smaller while it was filled.
  shape: { 'bytesPerTimer?': Number.isFinite }
})
