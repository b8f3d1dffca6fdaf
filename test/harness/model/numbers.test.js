/** Numbers in words. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import {
  formatCount,
  formatCoverage,
  formatDuration,
  formatInterval,
  formatNumber,
  formatP,
  formatParams,
  formatPercent,
  formatRatio,
  formatRatioRange,
  formatRatioWithInterval,
  formatRatioInterval,
  formatShare,
  formatSmallShare,
  formatSome,
  describeCell,
  placeOf
} from '../../../harness/model/numbers.js'

test('numbers have three significant digits and no needless zeros', () => {
  const texts = [0, 0.01234, 0.5, 1, 4.567, 45.67, 456.7, 4567, 9999, 45_678, 123_456, 12_345_678, -4.567].map(
    formatNumber
  )
  assert.deepEqual(texts, [
    '0',
    '0.0123',
    '0.500',
    '1',
    '4.57',
    '45.7',
    '457',
    '4567',
    '9999',
    '45.7k',
    '123k',
    '12.3M',
    '-4.57'
  ])
})

test('an interval stands behind its median, unless there is none', () => {
  assert.equal(formatInterval({ median: 4.5, low: 4.2, high: 5.123 }), '4.50 (4.20–5.12)')
  assert.equal(formatInterval({ median: 7, low: 7, high: 7 }), '7')
})

test('ratios near one are one; small ones keep two digits', () => {
  assert.deepEqual([1.0049, 0.9951, 1.35, 0.3456, 0.0123, 4056.2].map(formatRatio), [
    '1.00x',
    '1.00x',
    '1.35x',
    '0.35x',
    '0.012x',
    '4056x'
  ])
})

test('parameters are named', () => {
  assert.equal(formatParams({ connections: 10_000, seconds: 1 }), 'connections 10 000, seconds 1')
})

test('a place without parameters or without a runtime has no empty parts', () => {
  assert.equal(
    placeOf({ scenario: 'refresh', params: { size: 10_000 }, runtime: 'v24.1.0' }),
    'refresh, size 10 000, Node v24.1.0'
  )
  assert.equal(placeOf({ scenario: 'trace', params: {}, runtime: 'v24.1.0' }), 'trace, Node v24.1.0')
  assert.equal(placeOf({ scenario: 'trace', params: {} }), 'trace')
})

test('percents below 0.1 are all shown alike, and nothing is 0 %', () => {
  assert.deepEqual(
    [0, 0.0004, 0.0029, 0.0423, 0.12345, 2].map(formatPercent),
    ['0 %', '<0.1 %', '0.3 %', '4.2 %', '12.3 %', '200 %']
  )
})

test('shares of a column have the same digits, unless they may be tiny', () => {
  assert.deepEqual(
    [0, 0.0423, 0.12].map(share => formatShare(share)),
    ['0.0 %', '4.2 %', '12.0 %']
  )
  assert.deepEqual([1e-9, 4e-6, 0.0023, 0.12].map(formatSmallShare), ['<0.0001 %', '0.0004 %', '0.2 %', '12.0 %'])
})

test('a coverage is rounded down', () => {
  assert.equal(formatCoverage(0.9399), '93 %')
})

test('a judged ratio has three decimals and its interval, and is a dash where nothing was measured', () => {
  assert.equal(formatRatioInterval({ ratio: 1.123, low: 1.1, high: 1.15 }), '1.123 (1.100–1.150)')
  assert.equal(formatRatioInterval({ ratio: 1, low: 1, high: 1 }), '1.000')
  assert.equal(formatRatioInterval({ ratio: null, low: null, high: null }), '-')
  assert.deepEqual([null, 0.0004, 0.71].map(formatP), ['', '<0.001', '0.710'])
})

test('durations change from milliseconds to seconds at a thousand', () => {
  assert.deepEqual([250, 999, 1000, 65_000].map(formatDuration), ['250 ms', '999 ms', '1 s', '65 s'])
})

test('one is not a plural', () => {
  assert.deepEqual(
    [0, 1, 3].map(count => formatCount(count, 'queue')),
    ['0 queues', '1 queue', '3 queues']
  )
})

test('the interval of a ratio has its unit once', () => {
  const ratio = { median: 2.6, low: 2.571, high: 2.644 }
  assert.deepEqual([formatRatioWithInterval(ratio), formatRatioRange(ratio)], ['2.60x (2.57–2.64)', '2.57–2.64x'])
  const exact = { median: 1, low: 1, high: 1 }
  assert.deepEqual([formatRatioWithInterval(exact), formatRatioRange(exact)], ['1.00x', '1.00x'])
})

test('a cell is a queue on its place, whatever its runtime', () => {
  assert.equal(
    describeCell(
      /** @type {any} */ ({ queue: 'heap', scenario: 'refresh', params: { size: 10_000 }, runtime: 'v24.1.0' })
    ),
    'heap on refresh, size 10 000'
  )
})

test('of many names, six are listed', () => {
  assert.equal(formatSome(['a', 'b']), 'a; b')
  assert.equal(formatSome([...'abcdefgh']), 'a; b; c; d; e; f; 2 more')
})
