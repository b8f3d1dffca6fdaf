/** Bytes that an operation allocates. Left out where they cannot be counted exactly. */
import { isAmount } from '../../processes/shapes.js'
import { countWith, STEADY_FLAGS } from '../micro/count.js'

const COUNTER = new URL('../../subject/count/allocations.js', import.meta.url)

export const measureCell = countWith(COUNTER, 'countAllocations', {
  flags: STEADY_FLAGS,
  shape: { 'allocatedBytesPerOp?': isAmount }
})
