import { fileURLToPath } from 'node:url'
import { SampleError } from '../../model/errors.js'

/**
 * A scenario may end its process. The error says which one did.
 *
 * @type {(url: string) => (error: unknown) => never}
 */
export const nameScenario = url => error => {
  const isDeath = error instanceof SampleError && error.message.startsWith('the process ended')
  throw isDeath ? new SampleError(error.kind, `${fileURLToPath(url)}: ${error.message}`) : error
}
