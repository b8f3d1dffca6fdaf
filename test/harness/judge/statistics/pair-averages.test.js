import { test } from 'node:test'
import assert from 'node:assert/strict'
import { createRandom } from '../../../../harness/model/random.js'
import { PairAverages } from '../../../../harness/judge/statistics/pair-averages.js'

/** @param {number[]} values */
function listAverages (values) {
  const averages = values.flatMap((one, i) => values.slice(i).map(other => (one + other) / 2))
  let opposites = 0
  return Float64Array.from(averages, average => Number.isNaN(average) ? (opposites++ % 2 === 0 ? Infinity : -Infinity) : average).sort()
}

test('each average is the one that sorting all of them gives, to the last digit', () => {
  const random = createRandom(1)
  const kinds = [
    () => Math.log((1 + random(2 ** 20)) / 2 ** 19),
    () => random(4),
    () => 7,
    () => 10 ** (random(600) - 300),
    () => [-Infinity, Infinity, 0, 1, 2.5][random(5)]
  ]
  for (const draw of kinds) {
    for (let n = 1; n <= 40; n++) {
      const values = Array.from({ length: n }, draw)
      const averages = new PairAverages(values)
      const found = Float64Array.from({ length: averages.length }, (_, index) => averages.at(index))
      assert.deepEqual(found, listAverages(values), JSON.stringify(values))
    }
  }
})

test('a hundred thousand values have five thousand million averages, of which the middle is found', () => {
  const averages = new PairAverages(Array.from({ length: 100_001 }, (_, i) => i))
  assert.equal(averages.at(Math.floor(averages.length / 2)), 50_000)
})
