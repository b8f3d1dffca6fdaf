import os from 'node:os'

/** Bytes of the machine, or of this process's container where that has less. */
export const MEMORY = Math.min(os.totalmem(), process.constrainedMemory() || Infinity)
