/** Requests that make garbage, in a process of their own whose young generation has a known size. */
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import assert from 'node:assert/strict'

const REQUESTS = 4000

/** Answers requests without a socket, and counts scavenges after the young generation has grown. */
const PROGRAM = `
import { constants, PerformanceObserver } from 'node:perf_hooks'
import { scenario } from ${JSON.stringify(new URL('../../scenarios/garbage.js', import.meta.url).href)}
let scavenges = 0
const observer = new PerformanceObserver(list => {
  scavenges += list.getEntries().filter(({ detail }) => detail.kind === constants.NODE_PERFORMANCE_GC_MINOR).length
})
let answer
scenario.createServer(listener => { answer = listener }, { objects: 1000 })
const answerAll = async () => {
  for (let i = 0; i < ${REQUESTS}; i++) {
    answer({}, { end () {} })
    if (i % 100 === 0) await new Promise(setImmediate)
  }
}
await answerAll()
observer.observe({ entryTypes: ['gc'] })
await answerAll()
await new Promise(setImmediate)
console.log(scavenges)
`

test('with four times the young generation, requests that make garbage cause about a quarter of the scavenges', () => {
  const [small, large] = [16, 64].map(megabytes =>
    Number(
      execFileSync(process.execPath, [`--max-semi-space-size=${megabytes}`, '--input-type=module', '--eval', PROGRAM], {
        encoding: 'utf8'
      })
    )
  )
  const ratio = small / large
  assert.ok(ratio > 3 && ratio < 5.5, `${small} with 16 MB, ${large} with 64 MB`)
})
