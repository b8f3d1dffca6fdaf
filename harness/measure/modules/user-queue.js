/**
 * Reads the declaration of a user's queue. The module may do anything, so the process that runs the others never loads
 * it.
 */
import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { SampleError, UsageError } from '../../model/errors.js'
import { Child } from '../../processes/child.js'
/** @import { QueueMeta } from '../../../queues/contract.js' */

const COMMON_SCHEMA = new URL('../../store/schema/common.schema.json', import.meta.url)
const PROCESS = new URL('../../subject/process.js', import.meta.url)
const RUNTIME = { name: 'own', path: process.execPath, flags: [] }
/** CPU time to load a module and its imports. */
const LIMIT_MS = 3000
/** Another program may have ended the first process. */
const ATTEMPTS = 2

/**
 * @type {(url: string, signal?: AbortSignal) => Promise<QueueMeta>}
 * @throws {UsageError} when the module cannot be loaded in time, is no queue, or declares what no results directory can
 *   hold
 */
export async function declarationOf (url, signal) {
  const { meta, refusal } = await askUser({ type: 'declare', url }, signal)
  if (refusal !== undefined) throw new UsageError(refusal)
  if (meta === null) throw new UsageError(`${url}: a queue module exports \`meta\` (see queues/contract.js)`)
  const ajv = new Ajv()
  const { definitions } = JSON.parse(readFileSync(COMMON_SCHEMA, 'utf8'))
  if (ajv.validate(definitions.meta, meta)) return /** @type {QueueMeta} */ (meta)
  throw new UsageError(
    `${url}: ${ajv.errorsText(ajv.errors, { dataVar: 'meta' })} (timerq check shows all that is wrong with it)`
  )
}

/**
 * Asks a fresh process about a module of the user's.
 *
 * @type {(request: {type: string, url: string}, signal?: AbortSignal) => Promise<any>}
 */
export async function askUser (request, signal) {
  for (let attempt = 1; ; attempt++) {
    const child = new Child(PROCESS, { runtime: RUNTIME })
    try {
      return await child.ask(request, LIMIT_MS, signal)
    } catch (error) {
      if (!(error instanceof SampleError)) throw error
      if (error.kind !== 'crash' || attempt === ATTEMPTS) {
        throw new UsageError(`${request.url}: cannot be loaded: ${error.message}`)
      }
    } finally {
      await child.end()
    }
  }
}
