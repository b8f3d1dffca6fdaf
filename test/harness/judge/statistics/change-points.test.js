import { test } from 'node:test'
import assert from 'node:assert/strict'
import { createRandom } from '../../../../harness/model/random.js'
import { chancesOfSteps, changePoints } from '../../../../harness/judge/statistics/change-points.js'
import { correlated, normal, uniform } from './noise.js'

const random = createRandom(3)
/** Roughly normal, with a standard deviation of 1. */
const noise = () => Array.from({ length: 12 }, () => random(2 ** 20) / 2 ** 20).reduce((sum, part) => sum + part, -6)

/**
 * @param {number[]} levels  each for ten runs
 * @param {number} sd
 */
const series = (levels, sd) => levels.flatMap(level => Array.from({ length: 10 }, () => level + sd * noise()))

test('a step is found where it is, and a second one too', () => {
  assert.deepEqual(changePoints(series([0, 1], 0.05), 0.02), [10])
  assert.deepEqual(changePoints(series([0, 1, 0.5], 0.05), 0.02), [10, 20])
})

test('noise alone is rarely taken for a change', () => {
  const alarms = Array.from({ length: 300 }, () => changePoints(series([0, 0, 0], 0.05), 0.02)).filter(({ length }) => length > 0)
  assert.ok(alarms.length <= 6, String(alarms.length))
})

test('one outlier is not a new level, two alike at the end are', () => {
  const steady = Array.from({ length: 12 }, (_, i) => i % 2 / 100)
  assert.deepEqual(changePoints(steady.with(6, 1), 0.02), [])
  assert.deepEqual(changePoints([...steady, 1, 1.01], 0.02), [12])
})

test('nor is one outlier the first or the last value', () => {
  const steady = Array.from({ length: 12 }, (_, i) => i % 2 / 100)
  for (const at of [0, 1, 10, 11]) assert.deepEqual(changePoints(steady.with(at, 1), 0.02), [], `at ${at}`)
})

test('a step is a change from where it explains more than the penalty for a change', () => {
  // Values alternate by 2 around their level, so their noise is 1.4826 * 2 / sqrt(2). A step of d in the middle explains
  // d² * 20 / 4, in squares of the noise, and must be worth 6 * ln 20.
  const noise = 1.4826 * 2 / Math.SQRT2
  const threshold = noise * Math.sqrt(6 * Math.log(20) * 4 / 20)
  const found = (/** @type {number} */ step) => changePoints(Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? -1 : 1) + (i < 10 ? 0 : step)), 0.02)
  assert.deepEqual([found(threshold + 0.01), found(threshold - 0.01)], [[10], []])
})

test('four values are enough for a change', () => {
  assert.deepEqual(changePoints([0, 0, 1, 1], 0.02), [2])
})

test('a tiny step in a series without noise is not a change', () => {
  assert.deepEqual(changePoints([5, 5, 5, 5, 5.01, 5.01, 5.01], 0.02), [])
})

test('a series that is too short shows no change', () => {
  assert.deepEqual(changePoints([], 0.02), [])
  assert.deepEqual(changePoints([1, 2, 3], 0.02), [])
})

/** @param {number[]} values */
const chanceOfStep = values => chancesOfSteps([values])[0]

/** @param {() => () => number} seriesOf  Draws the values of one series. */
const alarmsIn = seriesOf => Array.from({ length: 200 }, () => {
  const values = Array.from({ length: 30 }, seriesOf())
  return changePoints(values, 0.02).length > 0 && chanceOfStep(values) <= 0.05
}).filter(Boolean).length

test('series that wander, have two peaks or outliers show no change where there is none', () => {
  const [next, chance] = [normal(21), uniform(22)]
  const wandering = () => {
    const drift = correlated(0.6, next)
    return () => 0.04 * drift()
  }
  for (const [kind, seriesOf] of Object.entries({
    steady: () => () => 0.04 * next(),
    wandering,
    'two peaks': () => () => (chance() < 0.5 ? 0.2 : 0) + 0.01 * next(),
    outliers: () => () => 0.04 * next() * (chance() < 0.1 ? 3 : 1)
  })) {
    const alarms = alarmsIn(seriesOf)
    // 5 % of 200, and twice the standard error of that.
    assert.ok(alarms <= 16, `${kind}: ${alarms}`)
  }
})

test('a step of four deviations is rarely chance, and a step without noise never is', () => {
  const next = normal(23)
  const found = Array.from({ length: 100 }, () => chanceOfStep(Array.from({ length: 30 }, (_, i) => (i < 15 ? 0 : 0.16) + 0.04 * next())))
    .filter(p => p <= 0.001)
  assert.ok(found.length > 70, String(found.length))
  assert.ok(chanceOfStep([1, 1, 1, 1, 1, 2, 2, 2, 2, 2]) < 0.001)
  assert.equal(chanceOfStep([5, 5, 5, 5, 5, 5]), 1)
  assert.equal(chanceOfStep([1, 2, 3]), 1)
})

test('the chance of a step is the share of series without one that have as clear a step', () => {
  // The differences of these ranks are 3, -2, 1, 4, -2, 3 and -2: the correlation is 1 - 2 * 24 / 47, about 0. With a standard
  // error of 0.35 added and rounded up, the simulated series wander by 0.35.
  const values = [0, 3, 1, 2, 6, 4, 7, 5]
  const next = normal(19_930_701)
  const simulated = Array.from({ length: 10_000 }, () => Array.from({ length: 8 }, correlated(0.35, next)))
  const clearest = Math.max(...splits(values))
  assert.equal(clearest, 32 / 10)
  const asClear = simulated.filter(series => Math.max(...splits(series)) >= clearest).length
  assert.ok(Math.abs(chanceOfStep(values) - (1 + asClear) / 10_001) < 2 / 10_001, `${chanceOfStep(values)}, ${asClear}`)
})

/**
 * What each split into two levels explains of the squares, to what it leaves.
 *
 * @param {number[]} series
 */
function splits (series) {
  const squaresOf = (/** @type {number[]} */ values) => {
    const mean = values.reduce((sum, value) => sum + value) / values.length
    return values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  }
  return Array.from({ length: series.length - 3 }, (_, i) => {
    const left = squaresOf(series.slice(0, i + 2)) + squaresOf(series.slice(i + 2))
    return (squaresOf(series) - left) / left
  })
}

test('a steady drift is no step', () => {
  assert.ok(chanceOfStep(Array.from({ length: 30 }, (_, i) => i)) > 0.05)
})

test('no series is assumed to wander less than the average of all', () => {
  const next = normal(24)
  const stepped = Array.from({ length: 20 }, () => Array.from({ length: 30 }, (_, i) => (i < 15 ? 0 : 0.12) + 0.04 * next()))
  const wandering = Array.from({ length: 200 }, () => Array.from({ length: 30 }, correlated(0.8, next)))
  const clear = (/** @type {number[][]} */ beside) => chancesOfSteps([...stepped, ...beside]).slice(0, 20).filter(p => p <= 0.01).length
  assert.ok(clear([]) >= 15 && clear(wandering) <= 5, `${clear([])}, ${clear(wandering)}`)
})
