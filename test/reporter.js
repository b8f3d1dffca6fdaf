/**
 * Node's own report, and at its end what was skipped for want of a program, counted by reason: a run that skips tests
 * must not look like one that ran them all.
 */
import { Readable } from 'node:stream'
import { spec as Spec } from 'node:test/reporters'

const END_LIMIT_MS = 5000
/** Tests are also skipped because somebody asked for others. */
const NEED = /^needs /

/**
 * @typedef {{type: string, data: {skip?: string | boolean}}} TestEvent
 *
 * @param {AsyncIterable<TestEvent>} events
 * @returns {AsyncGenerator<string>}
 */
export default async function * reporter (events) {
  /** @type {Map<string, number>} */
  const skipped = new Map()
  const report = Readable.from(counted()).pipe(new Spec())
  for await (const text of report) yield text
  yield closingLines(skipped)
  // A process that a test left behind can hold the runner's pipes open for ever.
  setTimeout(() => process.exit(), END_LIMIT_MS).unref()

  async function * counted () {
    for await (const event of events) {
      const { skip } = event.data
      if (event.type === 'test:pass' && typeof skip === 'string' && NEED.test(skip)) {
        skipped.set(skip, (skipped.get(skip) ?? 0) + 1)
      }
      yield event
    }
  }
}

/** @param {Map<string, number>} skipped  Tests, by what they need. */
function closingLines (skipped) {
  const total = [...skipped.values()].reduce((sum, count) => sum + count, 0)
  if (total === 0) return ''
  const reasons = [...skipped]
    .sort(([, a], [, b]) => b - a)
    .map(([reason, count]) => `  ${count} ${count === 1 ? reason : reason.replace(NEED, 'need ')}\n`)
  return `\n${total === 1 ? '1 test' : `${total} tests`} skipped (with CI=true they fail):\n${reasons.join('')}`
}
