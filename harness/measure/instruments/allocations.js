/** Bytes that an operation allocates, where they are exact. */
import { isAmount } from '../../processes/shapes.js'
import { countWith, STEADY_FLAGS } from '../micro/count.js'

const COUNTER = new URL('../../subject/count/allocations.js', import.meta.url)

export const take = countWith(COUNTER, 'countAllocations', {
  flags: STEADY_FLAGS,
  shape: { 'allocatedBytesPerOp?': isAmount }
})
