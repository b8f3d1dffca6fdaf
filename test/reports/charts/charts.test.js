import { test } from 'node:test'
import assert from 'node:assert/strict'
import { summarise } from '../../../harness/judge/summary.js'
import { drawFigure } from '../../../reports/charts/index.js'
import { createScale, domainOf } from '../../../reports/charts/scales.js'
import { spread } from '../../../reports/charts/spread.js'
import { darkTheme, lightTheme, styleOf } from '../../../reports/charts/style.js'
import { figuresOf } from '../../../reports/figures/index.js'
import { heatsRun } from '../fixture.js'
import { renamed } from '../renamed.js'

test('a scale maps its domain to its range, and is ticked within its domain', () => {
  for (const { log, domain, labels } of [
    { log: false, domain: [0, 40], labels: [0, 10, 20, 30, 40] },
    { log: true, domain: [0.5, 2e6], labels: [1, 10, 100, 1000, 1e4, 1e5, 1e6] }
  ]) {
    const scale = createScale({ domain: /** @type {[number, number]} */ (domain), range: [60, 500], log })
    assert.deepEqual(domain.map(scale.at), [60, 500])
    assert.ok(scale.ticks.every(({ value }) => value >= domain[0] && value <= domain[1]))
    assert.deepEqual(
      scale.ticks.filter(({ major }) => major).map(({ value }) => value),
      labels
    )
  }
  assert.equal(createScale({ domain: [1, 100], range: [0, 10], log: true }).at(10), 5)
})

test('a logarithmic axis within one digit is still labelled twice or more, and a linear one begins at zero', () => {
  for (const [low, high] of /** @type {[number, number][]} */ ([
    [5, 5],
    [12, 13],
    [0.31, 0.34],
    [999, 1001]
  ])) {
    const scale = createScale({ domain: domainOf([low, high], true), range: [0, 100], log: true })
    assert.ok(scale.ticks.filter(({ major }) => major).length >= 2, `${low} to ${high}`)
  }
  assert.equal(domainOf([11, 13], false)[0], 0)
})

test('axes of values at either end of what a number holds have an end, and places', () => {
  for (const values of [[1e-310], [5e-324], [1e-310, 1e308], [5e-324, Number.MAX_VALUE], [0, Number.MAX_VALUE]]) {
    const log = values[0] > 0
    const scale = createScale({ domain: domainOf(values, log), range: [0, 100], log })
    for (const value of values) {
      assert.ok(scale.at(value) >= 0 && scale.at(value) < 100.1, `${values}: ${scale.at(value)}`)
    }
    assert.ok(scale.ticks.length < 10_000)
  }
})

test('labels that touch are moved apart, within limits, and in order', () => {
  assert.deepEqual(spread([10, 50, 90], 15, [0, 100]), [10, 50, 90])
  assert.deepEqual(spread([50, 50, 10], 15, [0, 100]), [50, 65, 10])
  assert.deepEqual(spread([99, 98, 97], 15, [0, 100]), [100, 85, 70])
})

test('the first 56 queues are told apart, eight of them without colour', () => {
  const styles = Array.from({ length: 56 }, (_, i) => styleOf(i))
  assert.equal(new Set(styles.map(style => JSON.stringify(style))).size, 56)
  assert.equal(new Set(styles.slice(0, 8).map(({ symbol, dash, hollow }) => `${symbol} ${dash} ${hollow}`)).size, 8)
})

test('every colour stands out from its paper by 3:1, and text by 4.5:1', () => {
  for (const theme of [lightTheme, darkTheme]) {
    for (const hue of theme.hues) {
      assert.ok(contrast(hue, theme.paper) >= 3, `${hue} on ${theme.paper}: ${contrast(hue, theme.paper)}`)
    }
    assert.ok(contrast(theme.muted, theme.paper) >= 4.5)
  }
})

test('pictures need nothing from elsewhere, keep everything inside, and name their values', () => {
  const { results, summary } = heatsRun()
  for (const { figure } of figuresOf(results, summary)) {
    const svg = drawFigure(figure, lightTheme)
    assert.doesNotMatch(svg, /<style|style=|<script|href|NaN|Infinity|undefined/)
    assert.match(svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" .*role="img" aria-label="/)
    assert.match(svg, /<title>[^<]*: [\d.]+/)
    const places = [...svg.matchAll(/ x="(-?[\d.]+)"/g)].map(([, x]) => Number(x))
    assert.ok(
      places.every(x => x >= 0 && x <= 760),
      figure.id
    )
  }
})

test('names from elsewhere are escaped in pictures, and their files are named harmlessly', () => {
  const results = renamed(heatsRun().results, '"><script>alert(1)</script>&\u0000../../x')
  for (const { figure } of figuresOf(results, summarise(results))) {
    assert.doesNotMatch(drawFigure(figure, lightTheme), /<script|\p{Cc}/u)
    assert.match(figure.id, /^[a-z0-9-]+$/)
  }
})

/**
 * WCAG 2.1.
 *
 * @param {string} one  #rrggbb
 * @param {string} other
 */
function contrast (one, other) {
  const [low, high] = [one, other].map(luminance).sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

/** @param {string} colour */
function luminance (colour) {
  const [red, green, blue] = [1, 3, 5]
    .map(at => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map(part => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
