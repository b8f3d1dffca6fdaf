/** Output of perf. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { parsePerfReport } from '../../../harness/profile/tools/external.js'

test('the samples of a perf report are divided between kernel, JavaScript and native code', () => {
  const text = `# Samples: 2K of event 'cpu-clock'
#
# Overhead       Samples  Shared Object         Symbol
# ........  ............  ....................  ......
#
    40.00%           400  [kernel.kallsyms]     [k] _raw_spin_unlock_irqrestore
    25.00%           250  [JIT] tid 28392       [.] JS:*_unrefTimer file:///a/socket-timers.js:38:48
     5.00%            50  perf-28392.map        [.] LazyCompile:~emit node:events:466
    30.00%           300  node                  [.] v8::internal::(anonymous namespace)::Fast<[x]>
`
  assert.deepEqual(parsePerfReport(text), { samples: 1000, kernel: 0.4, javascript: 0.3, native: 0.3 })
})

test('a report without samples does not divide by zero', () => {
  assert.deepEqual(parsePerfReport('# no samples'), { samples: 0, kernel: 0, javascript: 0, native: 0 })
})
