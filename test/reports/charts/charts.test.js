/** Pictures: what ECharts is told to draw, and what it draws. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { summarise } from '../../../harness/judge/summary.js'
import { drawFigure } from '../../../reports/charts/index.js'
import { drawingOf } from '../../../reports/charts/option.js'
import { darkTheme, lightTheme, styleOf } from '../../../reports/charts/style.js'
import { figuresOf, heatsRun } from '../fixture.js'
import { renamed } from '../renamed.js'

const WORDS = { id: 'x', title: '', subtitle: '', unit: '' }
const MARKS = { name: 'x', control: false, style: styleOf(0) }

/**
 * @param {{median: number, low: number | null, high: number | null}[]} points
 * @param {boolean} [log]
 */
const drawLine = (points, log = true) =>
  drawFigure(
    {
      ...WORDS,
      kind: 'lines',
      x: { title: '', log: true },
      log,
      rows: [{ ...MARKS, points: points.map((point, i) => ({ ...point, x: i + 1 })) }]
    },
    lightTheme
  )

test('curves of values at either end of what a number holds are drawn', () => {
  for (const values of [[1e-310], [5e-324], [1e-310, 1e308], [5e-324, Number.MAX_VALUE], [0, Number.MAX_VALUE]]) {
    const points = values.map(value => ({ median: value, low: value, high: value }))
    assert.doesNotMatch(drawLine(points, values[0] > 0), /NaN/, String(values))
  }
})

/** @param {{median: number, low: number | null, high: number | null}} dot */
const dotsOf = dot => ({
  ...WORDS,
  kind: /** @type {const} */ ('dots'),
  log: true,
  rows: [{ ...MARKS, ...dot }],
  reference: 1
})

test('an end that no axis can show is drawn at its edge, of a row or a curve', () => {
  for (const [median, low, high] of /** @type {[number, number | null, number | null][]} */ ([
    [1.2, 0, 2],
    [1.2, 0.9, null],
    [1.2, null, Infinity],
    [0, 0, 0.5],
    [0, 0, null],
    [1.2, 0.9, 2]
  ])) {
    const dot = { median, low, high }
    for (const svg of [drawFigure(dotsOf(dot), lightTheme), drawLine([dot, dot])]) {
      assert.doesNotMatch(svg, /NaN|Infinity/, JSON.stringify(dot))
    }
  }
})

test('an axis is logarithmic where its values are far apart, and needs no zero where they are near', () => {
  const axisOf = (/** @type {number} */ low, /** @type {number} */ high) => {
    const { type, scale } = drawingOf(dotsOf({ median: low, low, high }), lightTheme).option.xAxis
    return [type, scale]
  }
  assert.deepEqual([axisOf(0.5, 2e6), axisOf(0.3, 20), axisOf(0.9, 1.2)].map(([type]) => type), ['log', 'log', 'value'])
  assert.equal(axisOf(0.9, 1.2)[1], true)
})

test('of many curves, the control, the best three and the worst have colours, whiskers and names', () => {
  const rows = Array.from({ length: 22 }, (_, i) => ({
    name: `queue-${i}`,
    control: i === 9,
    style: styleOf(i),
    points: [1, 10].map(x => ({ x, median: i + 1, low: i + 0.9, high: i + 1.1 }))
  }))
  const seriesOf = (/** @type {string[]} */ ...shown) => {
    const x = { title: '', log: true }
    const page = shown.length > 0 ? { shown: new Set(shown) } : {}
    const { series } = drawingOf({ ...WORDS, kind: 'lines', x, log: true, rows }, lightTheme, page).option
    const [whiskers, curves] = ['custom', 'line'].map(wanted =>
      series.filter((/** @type {any} */ { type }) => type === wanted)
    )
    const named = curves.filter((/** @type {any} */ { endLabel }) => endLabel.show)
    assert.equal(whiskers.length, named.length)
    return [named.map((/** @type {any} */ { name }) => name), curves.length]
  }
  assert.deepEqual(seriesOf(), [['queue-0', 'queue-1', 'queue-2', 'queue-9', 'queue-21'], 22])
  assert.deepEqual(seriesOf('queue-4', 'queue-5'), [['queue-4', 'queue-5'], 2])
})

test('the first 112 queues are told apart, 16 of them without colour', () => {
  const styles = Array.from({ length: 112 }, (_, i) => styleOf(i))
  assert.equal(new Set(styles.map(style => JSON.stringify(style))).size, 112)
  assert.equal(new Set(styles.slice(0, 16).map(({ symbol, dash }) => `${symbol} ${dash}`)).size, 16)
})

test('every colour stands out from its paper by 3:1, and text by 4.5:1', () => {
  for (const theme of [lightTheme, darkTheme]) {
    for (const hue of theme.hues) {
      assert.ok(contrast(hue, theme.paper) >= 3, `${hue} on ${theme.paper}: ${contrast(hue, theme.paper)}`)
    }
    assert.ok(contrast(theme.muted, theme.paper) >= 4.5)
  }
})

test('pictures need nothing from elsewhere, are the same every time, and say what they show', () => {
  for (const figure of figuresOf(heatsRun().summary)) {
    const svg = drawFigure(figure, lightTheme)
    assert.doesNotMatch(svg, /<style|<script|href=|url\(http|NaN|Infinity|undefined|\bzr\d/)
    assert.match(svg, /^<svg role="img" aria-label="[^"]+" width="\d+" height="\d+" xmlns="http:\/\/www\.w3\.org/)
    assert.equal(drawFigure(figure, lightTheme), svg)
  }
})

test('names from elsewhere are escaped in pictures, and their files are named harmlessly', () => {
  const results = renamed(heatsRun().results, '"><script>alert(1)</script>&\u0000../../x')
  for (const figure of figuresOf(summarise(results))) {
    assert.doesNotMatch(drawFigure(figure, lightTheme), /<script|[^\P{Cc}\n]/u)
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
