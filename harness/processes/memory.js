/** How much memory there is for what is measured. */
import os from 'node:os'

/** Bytes: of the machine, or of the container that this runs in, where that has less. */
export const MEMORY = Math.min(os.totalmem(), process.constrainedMemory() || Infinity)
