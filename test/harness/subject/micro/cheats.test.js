/** Heads that claim to be faster by a cheat that was published, and what a heat or a count shows of each. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { runMicroHeat } from '../../../../harness/measure/heat/micro.js'
import { describeWarning, hasWarning } from '../../../../harness/model/warnings.js'
import { take } from '../../measure/entrants.js'
import { temporaryModule } from '../../temporary-folder.js'

/** @import { TestContext } from 'node:test' */

const NODE = { name: process.version, path: process.execPath, flags: [] }
const TIMING = { warmupMs: 1, leadMs: 0.5, turnMs: 3, turns: 5, limitMs: 60_000, exactLimitMs: 60_000, tailMs: 0 }

/** Adds up what `work` makes of 50 drawn numbers. */
const WORKLOAD = `
export const scenario = {
  name: 'cheat',
  kind: 'code',
  createWorkload (params, random) {
    const numbers = Array.from({ length: 50 }, () => random(2 ** 30))
    const outcome = { checksum: 0 }
    const run = () => { outcome.checksum = numbers.reduce((sum, number) => (sum + work(number)) | 0, 0) }
    return { outcome, phases: [{ metric: 'nsPerOp', operations: 50, run }] }
  }
}
function honest (number) {
  let hash = number
  for (let i = 0; i < 2000; i++) hash = (Math.imul(hash, 31) + i) | 0
  return hash
}
`
const HONEST = 'const work = honest'
const MEMORY = `
const known = new Map()
function remembered (number) {
  if (!known.has(number)) known.set(number, honest(number))
  return known.get(number)
}
`

/** @type {(t: TestContext, head: string) => {queueUrl: string, scenarioUrl: string}} */
function fileOf (t, head) {
  const url = temporaryModule(t, WORKLOAD + head)
  return { queueUrl: url, scenarioUrl: url }
}

const job = { isCode: true, params: {}, seed: 1 }

/** @type {(t: TestContext, heads: string[]) => Promise<any[]>} */
const heatOf = (t, heads) =>
  runMicroHeat(
    heads.map(head => ({ job: { ...job, ...fileOf(t, head), timing: TIMING }, runtime: NODE, expected: null })),
    { seed: 7 }
  )

test('a head that replaces every clock of its process takes as long as before, and does equal work', async t => {
  const clocks = `
    performance.now = Object.getPrototypeOf(performance).now = () => 0
    Date.now = () => 0
    process.hrtime = Object.assign(() => [0, 0], { bigint: () => 0n })
    process.cpuUsage = () => ({ user: 0, system: 0 })
    ${HONEST}`
  const [base, head] = await heatOf(t, [HONEST, clocks])
  assert.ok(head.metrics.nsPerOp > base.metrics.nsPerOp / 10, `${head.metrics.nsPerOp} and ${base.metrics.nsPerOp} ns`)
  for (const { warnings } of [base, head]) assert.ok(!hasWarning({ warnings }, 'different-outcomes'))
})

const WORK_THAT_IS_LEFT_OUT = /** @type {[title: string, head: string, warning: RegExp][]} */ ([
  ['returns a constant', 'const work = () => 7', /different outcomes: the checksums of a heat were /],
  [
    'returns a constant once it finds itself measured',
    "const work = process.argv[1].endsWith('subject/process.js') ? () => 7 : honest",
    /different outcomes: the checksums of a heat were /
  ],
  [
    'returns a constant once its first results have been looked at',
    'let calls = 0; const work = number => (calls++ < 100 ? honest(number) : 7)',
    /different outcomes: a checksum was -?\d+ at first and 350 in the last cycle, and others stayed as they were/
  ],
  [
    'puts its work off until it is no longer timed',
    `${MEMORY}
    let late = []
    function work (number) {
      if (known.has(number) && late.push(number) === 1) setImmediate(() => { late.forEach(honest); late = [] })
      return remembered(number)
    }`,
    /work outside of its turns: .* ms of CPU time after each turn of .* work that is put off is not measured/
  ]
])

for (const [title, head, warning] of WORK_THAT_IS_LEFT_OUT) {
  test(`a head that ${title} is found`, async t => {
    const [base, cheat] = await heatOf(t, [HONEST, head])
    assert.match(cheat.warnings.map(describeWarning).join('\n'), warning)
    if (warning.source.startsWith('different')) assert.match(base.warnings.map(describeWarning).join('\n'), warning)
  })
}

test('a head that remembers its inputs is found by blocks, of draws that no earlier process has seen', async t => {
  const warningsOf = async (/** @type {string} */ head) =>
    (await take('count', { ...job, ...fileOf(t, head) })).warnings.map(describeWarning).join()
  assert.match(
    await warningsOf(`${MEMORY} const work = remembered`),
    /^remembers its inputs: \S+ blocks per operation for new ones, \S+ when they repeat/
  )
  assert.equal(await warningsOf(HONEST), '')
})
