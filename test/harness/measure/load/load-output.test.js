/** Output of load generators. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { parseAutocannonOutput } from '../../../../harness/measure/load/autocannon.js'
import { parseWrkOutput } from '../../../../harness/measure/load/wrk.js'
import { autocannonOutput, wrkOutput } from '../../../fuzz/inputs.js'

test('what wrk prints becomes a result, with operations by method', () => {
  assert.deepEqual(parseWrkOutput(wrkOutput), {
    requests: 1000,
    seconds: 1.1,
    errors: { connect: 0, read: 1, write: 0, status: 2, timeout: 0 },
    latencyMs: { p50: 1, p90: 2, p99: 3, p999: 4, max: 5 },
    operations: { GET: { requests: 900, latencyMs: { p50: 0.1, p90: 0.2, p99: 0.3, p999: 0.4, max: 0.5 } } }
  })
})

test('what autocannon prints becomes a result', () => {
  assert.deepEqual(parseAutocannonOutput(autocannonOutput), {
    requests: 1000,
    seconds: 1.1,
    errors: { connect: 1, timeout: 2, status: 3 },
    latencyMs: { p50: 1, p90: 2, p99: 3, p999: 4, max: 5 },
    operations: {}
  })
})

for (const [what, parse, printed] of /** @type {[string, (text: string) => unknown, string][]} */ ([
  ['nothing', parseWrkOutput, ''],
  ['a negative count', parseWrkOutput, wrkOutput.replace('1000', '-1')],
  ['no latencies', parseWrkOutput, wrkOutput.replace('"latencyMicros"', '"latency"')],
  ['a latency that is none', parseWrkOutput, wrkOutput.replace('"p99":3000', '"p99":-nan')],
  ['nothing', parseAutocannonOutput, ''],
  ['null for what it counted', parseAutocannonOutput, autocannonOutput.replace('"total":1000', '"total":null')]
])) {
  test(`${what} from ${parse === parseWrkOutput ? 'wrk' : 'autocannon'} costs the sample, in one line`, () => {
    assert.throws(
      () => parse(printed),
      error => {
        const { kind, message } = /** @type {any} */ (error)
        assert.equal(kind, 'load')
        assert.match(message, /^(wrk|autocannon) printed no (result|summary): .*$/)
        return true
      }
    )
  })
}
