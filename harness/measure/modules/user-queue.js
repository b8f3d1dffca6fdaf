/** What a user's queue declares. Its module may do anything, so it is never loaded by the process that runs the others. */
import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { Child } from '../../processes/child.js'
import { SampleError, UsageError } from '../../model/errors.js'

const COMMON_SCHEMA = new URL('../../store/schema/common.schema.json', import.meta.url)
const META_CHILD = new URL('./meta-child.js', import.meta.url)
const RUNTIME = { name: 'own', path: process.execPath, flags: [] }
/** CPU time: to load a module and what it imports. */
const LIMIT_MS = 3000
/** Something else may have ended its process. */
const ATTEMPTS = 2

/**
 * @param {string} url
 * @param {AbortSignal} [signal]
 * @returns {Promise<import('./load-queue.js').QueueMeta>}
 * @throws {UsageError} when it cannot be loaded in time, is no queue, or declares what no results directory can hold
 */
export async function declarationOf (url, signal) {
  const { meta, refusal } = await load(url, signal)
  if (refusal !== undefined) throw new UsageError(refusal)
  if (meta === null) throw new UsageError(`${url}: a queue module exports \`meta\` (see queues/contract.js)`)
  assertReadable(meta, url)
  return meta
}

/**
 * @param {string} url
 * @param {AbortSignal} [signal]
 */
async function load (url, signal) {
  for (let attempt = 1; ; attempt++) {
    const child = new Child(META_CHILD, { runtime: RUNTIME })
    try {
      return await child.ask({ type: 'declare', url }, LIMIT_MS, signal)
    } catch (error) {
      if (!(error instanceof SampleError)) throw error
      if (error.kind !== 'crash' || attempt === ATTEMPTS) throw new UsageError(`${url}: cannot be loaded: ${error.message}`)
    } finally {
      await child.end()
    }
  }
}

/**
 * What is written to run.json must be read back later.
 *
 * @param {unknown} meta
 * @param {string} url
 * @throws {UsageError}
 */
function assertReadable (meta, url) {
  const ajv = new Ajv()
  const { definitions } = JSON.parse(readFileSync(COMMON_SCHEMA, 'utf8'))
  if (ajv.validate(definitions.meta, meta)) return
  throw new UsageError(`${url}: ${ajv.errorsText(ajv.errors, { dataVar: 'meta' })} (timerq check shows all that is wrong with it)`)
}
