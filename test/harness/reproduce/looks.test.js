import { test } from 'node:test'
import assert from 'node:assert/strict'
import { createRandom } from '../../../harness/model/random.js'
import { isOver, isDecisive, ratioOf } from '../../../harness/reproduce/figures.js'
import { judgeClaim } from '../../../harness/reproduce/judge.js'
import { CONFIDENCE, lookTwice } from '../../../harness/reproduce/looks.js'
import { differenceInterval, intervalOf, medianInterval } from '../../../harness/judge/statistics/interval.js'

/** @typedef {import('../../../harness/reproduce/judge.js').Claim} Claim */

/**
 * Claims that take so many seconds a round, and are decided from so many rounds on.
 *
 * @param {Record<string, {from: number, takes?: number}>} claimed  By id.
 * @param {{rounds?: number, seconds?: number}} [options]
 */
async function look (claimed, { rounds: planned = 5, seconds = Infinity } = {}) {
  const claims = Object.keys(claimed).map(id => ({ id, claim: '', documented: '', cells: [] }))
  const takesOf = (/** @type {Claim} */ { id }) => claimed[id].takes ?? 10
  /** @type {string[]} */
  const measured = []
  /** @type {Record<string, number>} */
  const roundsOf = {}
  let now = 0
  const rows = await lookTwice(claims, {
    rounds: planned,
    seconds,
    clock: () => now,
    secondsPerRound: takesOf,
    async measure (wanted, rounds) {
      measured.push(`${rounds} of ${wanted.map(({ id }) => id)}`)
      for (const claim of wanted) {
        now += 1000 * takesOf(claim) * (rounds - (roundsOf[claim.id] ?? 0))
        roundsOf[claim.id] = rounds
      }
    },
    judge: (wanted, confidence) => wanted.map(claim => judgeClaim({
      ...claim,
      judge: () => ({ measured: `${roundsOf[claim.id]} rounds at ${confidence}`, holds: roundsOf[claim.id] >= claimed[claim.id].from || null })
    }, [], 'quick'))
  })
  return { measured, rows: rows.map(({ id, verdict, measured }) => `${id} ${verdict} by ${measured}`), seconds: now / 1000 }
}

/**
 * @param {number} first
 * @param {number} last
 * @param {string} id
 */
const rounds = (first, last, id) => Array.from({ length: last - first + 1 }, (_, i) => `${first + i} of ${id}`)

test('what the first look decides is not looked at again', async () => {
  const { measured, rows } = await look({ A1: { from: 5 }, A2: { from: 3 } })
  assert.deepEqual(measured, ['5 of A1,A2'])
  assert.deepEqual(rows, ['A1 held by 5 rounds at 0.95', 'A2 held by 5 rounds at 0.95'])
})

test('what it leaves undecided is measured up to three times as often, and judged with more confidence', async () => {
  const { measured, rows } = await look({ A1: { from: 5 }, A2: { from: 12 }, A3: { from: 1000 } })
  assert.deepEqual(measured, ['5 of A1,A2,A3', ...rounds(6, 10, 'A2'), ...rounds(6, 10, 'A3'), ...rounds(11, 15, 'A2'), ...rounds(11, 15, 'A3')])
  assert.deepEqual(rows, ['A1 held by 5 rounds at 0.95', 'A2 held by 15 rounds at 0.9625', 'A3 undecided by 15 rounds at 0.9625'])
})

test('what takes little time comes first, and no round is begun that would end too late', async () => {
  // 200 s for the first look, then rounds of 10 and 30 s.
  const { measured, rows, seconds } = await look({ A1: { from: 10, takes: 30 }, A2: { from: 10, takes: 10 } }, { seconds: 319 })
  assert.deepEqual(measured, ['5 of A1,A2', ...rounds(6, 10, 'A2'), ...rounds(6, 7, 'A1')])
  assert.deepEqual([rows, seconds], [['A1 undecided by 7 rounds at 0.9625', 'A2 held by 10 rounds at 0.9625'], 310])
})

test('where there is no time for a round, nothing more is decided', async () => {
  const { measured, rows } = await look({ A1: { from: 7 } }, { seconds: 55 })
  assert.deepEqual([measured, rows], [['5 of A1'], ['A1 undecided by 5 rounds at 0.9625']])
})

test('who asks for too few rounds to decide anything gets no more', async () => {
  const { measured } = await look({ A1: { from: 5 } }, { rounds: 1 })
  assert.deepEqual(measured, ['1 of A1'])
})

const random = createRandom(11)
const gauss = () => Math.sqrt(-2 * Math.log((1 + random(1e9)) / 1e9)) * Math.cos(2 * Math.PI * random(1e9) / 1e9)
const TRIALS = 4000

/** @param {{n: number, coverage: number, estimate?: number, low: number, high: number}} interval */
const toFigure = ({ n, coverage, low, high }) => ({ median: 0, low, high, n, coverage })

for (const { of, decide } of [
  {
    of: 'ratios of rounds',
    decide: (/** @type {number[][]} */ [logs], /** @type {number} */ confidence) => toFigure({ n: logs.length, ...intervalOf(logs, confidence) })
  },
  {
    of: 'medians of samples',
    decide: (/** @type {number[][]} */ [values], /** @type {number} */ confidence) => toFigure(medianInterval(values, confidence))
  },
  {
    of: 'shares of two queues',
    decide: (/** @type {number[][]} */ [logs, others], /** @type {number} */ confidence) => toFigure({ n: logs.length, ...differenceInterval(others, logs, confidence) })
  }
]) {
  test(`by ${of}, two looks at what lies on its limit decide it in at most 10 % of simulations`, () => {
    let decided = 0
    for (let trial = 0; trial < TRIALS; trial++) {
      const samples = [[], []].map(() => Array.from({ length: 10 }, gauss))
      const first = decide(samples.map(values => values.slice(0, 5)), CONFIDENCE.first)
      assert.ok(isDecisive(first))
      if ((isOver(first, 0) ?? isOver(decide(samples, CONFIDENCE.second), 0)) !== null) decided++
    }
    assert.ok(decided <= 0.1 * TRIALS, `${decided} of ${TRIALS}`)
    assert.ok(decided >= 0.02 * TRIALS, `${decided} of ${TRIALS}: the looks ask for more than they need`)
  })
}

test('the confidence of a look is that of the ratios which it judges by', () => {
  const figureOf = (/** @type {number[]} */ values, /** @type {number} */ confidence) => ({
    ...medianInterval(values, confidence),
    observations: { by: /** @type {const} */ ('round'), values: new Map(values.map((value, round) => [round, { value }])), confidence }
  })
  const [one, other] = [0, 1].map(() => Array.from({ length: 10 }, () => Math.exp(gauss())))
  const [first, second] = [CONFIDENCE.first, CONFIDENCE.second].map(confidence => ratioOf(figureOf(one, confidence), figureOf(other, confidence)))
  assert.ok(second.coverage > first.coverage && second.coverage >= CONFIDENCE.second)
  assert.ok(second.low < first.low && second.high > first.high)
})
