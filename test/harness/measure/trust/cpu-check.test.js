import { test } from 'node:test'
import assert from 'node:assert/strict'
import { assertCpuTime, TOLERANCE, WindowCheck } from '../../../../harness/measure/trust/cpu-check.js'
import { cpuMsOf } from '../../../../harness/processes/proc-stat.js'
import { skipUnless } from '../../../needs.js'

const skip = skipUnless(cpuMsOf(process.pid) !== null, 'needs /proc, to read the CPU time of a process (Linux has it)')
const { share, ms } = TOLERANCE

test('a report within the tolerance passes, and one beyond it does not', () => {
  const [low, high] = [1000 * (1 - share) - ms, 1000 * (1 + share) + ms]
  for (const reported of [low, 1000, high]) assertCpuTime(reported, 1000, 1000)
  for (const reported of [low - 1, high + 1]) {
    assert.throws(() => assertCpuTime(reported, 1000, 1000),
      { kind: 'wrong', message: `it reported ${Math.round(reported)} ms of CPU time and used 1000: its figures cannot be trusted` })
  }
})

test('where it is not known exactly what a process used, the bounds count', () => {
  assertCpuTime(500, 400, 1000)
  assert.throws(() => assertCpuTime(1, 400, 1000), /it reported 1 ms of CPU time and used 400 to 1000/)
})

test('what cannot be known is not held against a process', () => {
  assertCpuTime(1, NaN, NaN)
})

test('a window that reports less CPU time than its server used is refused', { skip }, async () => {
  const check = new WindowCheck(process.pid)
  const start = process.cpuUsage()
  await check.open(async () => {})
  while (process.cpuUsage(start).user < 300_000);
  const { user, system } = process.cpuUsage(start)
  await check.close(async () => ({ userMicros: user, systemMicros: system }))
  await assert.rejects(check.close(async () => ({ userMicros: user / 10, systemMicros: 0 })), { kind: 'wrong', message: /cannot be trusted/ })
})
