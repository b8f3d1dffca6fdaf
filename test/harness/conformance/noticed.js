/** Checks that the kit notices a broken queue, and that its counter-example is a test of the broken clause. */
import assert from 'node:assert/strict'
import path from 'node:path'
import vm from 'node:vm'
import { countWork } from '../../../harness/conformance/check.js'
import { faultsOfMeta, promisesOf } from '../../../harness/conformance/subject/declaration.js'
import { EFFORTS, Search } from '../../../harness/conformance/subject/search.js'
import { returnsWithin } from '../../../harness/conformance/subject/watchdog.js'
import { loadQueue } from '../../../harness/subject/modules/load.js'
import { temporaryFolder } from '../temporary-folder.js'
import { mutantsAtScale, writeMutant } from './mutants/index.js'

/** Tries every sequence, however slow the machine is. */
export const PATIENT = { ...EFFORTS.full, seconds: Infinity }
/**
 * The same; counter-examples may be longer than they need to be. Those of lives, which take long, are; and beside other
 * tests a life takes more CPU time than alone.
 */
const HASTY = { ...PATIENT, shortenSeconds: 0.2 }
const LONG_LIVED = { ...PATIENT, shortenSeconds: 0, livesSeconds: 4 * EFFORTS.full.livesSeconds }

/** @param {string} url */
export async function loaded (url) {
  const { Queue, meta } = await loadQueue(url)
  return { Queue, promises: promisesOf(meta), seed: 1 }
}

/** CPU time after which a broken queue is taken for endless, and which no good queue needs, however many its timers. */
const ENDLESS_MS = 300
const GOOD_MS = 30_000

/**
 * @param {import('node:test').TestContext} t
 * @param {import('./mutants/index.js').Mutant} mutant
 * @param {typeof PATIENT} [effort]
 * @returns {Promise<string>} the counter-example
 */
export async function assertNoticed (t, mutant, effort = mutantsAtScale.includes(mutant) ? LONG_LIVED : HASTY) {
  const folder = temporaryFolder(t)
  const url = writeMutant(mutant, path.join(folder, 'broken'))
  const { breaks } = mutant
  if (breaks === 'meta') return String(faultsOfMeta((await loadQueue(url)).meta)[0] ?? assert.fail('meta is complete'))
  if (breaks === 'retained' || breaks.startsWith('complexity')) {
    return (await countWork(url, undefined, breaks)).get(breaks) ?? assert.fail(`${breaks} holds`)
  }

  const { Queue: Good } = await loadQueue(writeMutant({ ...mutant, to: mutant.from }, path.join(folder, 'good')))
  // The same class, which promises more.
  const isDeclaration = /^(order|relative): /.test(mutant.from)
  const queue = await loaded(url)
  const search = new Search(queue, effort)
  const breaches = mutantsAtScale.includes(mutant) ? search.breachesInLives() : search.breaches()
  for (const { clause, counterexample } of breaches) {
    assert.equal(
      passes(counterexample, queue.Queue, ENDLESS_MS),
      false,
      `passes with the broken queue:\n${counterexample}`
    )
    assert.ok(isDeclaration || passes(counterexample, Good, GOOD_MS), `fails with the good queue:\n${counterexample}`)
    if (clause === breaks) return counterexample
  }
  assert.fail(`${breaks} is not found to be broken`)
}

/**
 * @param {string} counterexample
 * @param {new () => any} Queue
 * @param {number} limitMs  CPU time.
 */
function passes (counterexample, Queue, limitMs) {
  const [, className] = /new (\w+)\(\)/.exec(counterexample) ?? []
  const run = vm.compileFunction(counterexample, ['assert', 'test', className])
  try {
    return returnsWithin(
      () => run(assert, (/** @type {string} */ _title, /** @type {() => void} */ body) => body(), Queue),
      limitMs
    )
  } catch {
    return false
  }
}
