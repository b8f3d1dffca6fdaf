/** The size of the heap, read with functions taken before a queue can replace them. */
import v8 from 'node:v8'

const { memoryUsage } = process
const heapStatistics = v8.getHeapStatistics
const collect = /** @type {() => void} */ (globalThis.gc)

/** Bytes in the heap and in array buffers, after a collection. Needs --expose-gc. */
export function usedBytes () {
  collect()
  collect()
  try {
    const { heapUsed, arrayBuffers } = memoryUsage()
    return heapUsed + arrayBuffers
  } catch {
    // Without /proc memoryUsage() fails, because it also reads the resident size.
    const { used_heap_size: heapUsed, external_memory: external } = heapStatistics()
    return heapUsed + external
  }
}
