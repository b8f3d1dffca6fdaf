/**
 * A figure, which holds values only, as an option of ECharts. Files and the page draw the same option; the page draws
 * it again for its own width, and ECharts adds what a reader can point at.
 */
import { formatInterval, formatNumber } from '../../harness/model/numbers.js'
import { wrap } from '../wrap.js'

/**
 * @import { Style, Theme } from './style.js'
 *
 * @typedef {object} Captioned  Properties of every figure.
 * @property {string} id
 * @property {string} title
 * @property {string} subtitle
 * @property {string} description  Text for readers who cannot see the picture.
 * @property {string} unit
 *
 * @typedef {{title: string, log: boolean}} Axis
 *
 * @typedef {{value: number, low: number, high: number}} Dot
 *
 * @typedef {Dot & {x: number, cell: number | null}} Point  `cell`: its number in the summary.
 *
 * @typedef {object} Marks  How a queue is shown.
 * @property {string} name
 * @property {string} [queue]  Name of the queue, if it differs from `name`.
 * @property {boolean} control
 * @property {Style} style
 * @property {number | null} cell  Its number in the summary.
 *
 * @typedef {Omit<Marks, 'cell'> & {points: Point[]}} Curve
 *
 * @typedef {{kind: 'lines', x: Axis, y: Axis, rows: Curve[]}} Lines  Curves over a swept parameter.
 *
 * @typedef {Marks & {dot: Dot}} DotRow
 *
 * @typedef {object} Dots  A row for each queue.
 * @property {'dots'} kind
 * @property {Axis} x
 * @property {DotRow[]} rows
 * @property {{value: number, title: string} | null} reference  A line to compare with.
 *
 * @typedef {Marks & {x: number, y: number, value: number, tiedWith: string | null}} Field  `tiedWith`: queues that tie
 *   with it, the runner-up first.
 *
 * @typedef {{title: string, values: number[]}} Categories
 *
 * @typedef {{kind: 'map', x: Categories, y: Categories, fields: Field[]}} CheapestMap  The cheapest queue over two
 *   parameters.
 *
 * @typedef {Captioned & Lines} LinesFigure
 * @typedef {Captioned & Dots} DotsFigure
 * @typedef {Captioned & CheapestMap} MapFigure
 * @typedef {LinesFigure | DotsFigure | MapFigure} Figure
 *
 * @typedef {{width: number, height: number, option: any}} Drawing
 */

/** A map stays legible where a page shows it at the width of a phone. */
const WIDTHS = { lines: 760, dots: 760, map: 520 }
const FONT = 'system-ui, -apple-system, Segoe UI, Noto Sans, Helvetica, Arial, sans-serif'
const LINE = 18
const MARGIN = 12
/** Approximate width of a letter; those of a title are larger and bolder. */
const LETTER = 6.4
const TITLE_STRETCH = 1.4
const ROW = 26
const FIELD = 58
const PLOT = 320
const AXIS = 48
/** Longest name, in letters. Users' own may have any length. */
const LONGEST_NAME = 41
/** Fewer curves than this are all told apart. */
const FEW = 8
const BEST = 3
/** Beyond this many decades, ticks at 2 and 5 crowd a logarithmic axis. */
const MANY_DECADES = 2.2
/** Font size of names in a map on a phone, in pixels. */
const SMALLEST = 9
const DRAW = { lines, dots, map }

/**
 * @param {Figure} figure
 * @param {Theme} theme
 * @param {{width?: number, shown?: Set<string>}} [page]  `shown`: queues that the reader has picked.
 * @returns {Drawing}
 */
export function drawingOf (figure, theme, { width = WIDTHS[figure.kind], shown } = {}) {
  const header = headerOf(figure, width, theme)
  const isShown = (/** @type {Omit<Marks, 'cell'>} */ { name, queue = name }) => !shown || shown.has(queue)
  const rows = figure.kind === 'map' ? [] : [...figure.rows].filter(isShown)
  const { height, ...content } = DRAW[figure.kind](/** @type {any} */ ({ ...figure, rows }), {
    theme,
    width,
    top: header.height,
    unit: figure.unit
  })
  const option = {
    animation: false,
    backgroundColor: theme.paper,
    textStyle: { fontFamily: FONT, fontSize: 12, color: theme.ink },
    title: header.titles,
    tooltip: {
      renderMode: 'richText',
      confine: true,
      backgroundColor: theme.paper,
      textStyle: { color: theme.ink },
      formatter: (/** @type {any} */ { data, seriesName }) => data?.label ?? seriesName
    },
    ...content
  }
  return { width, height, option }
}

/**
 * @typedef {{theme: Theme, width: number, top: number, unit: string}} Frame
 *
 * @type {(figure: Captioned, width: number, theme: Theme) => {height: number, titles: object}}
 */
function headerOf ({ title, subtitle }, width, theme) {
  const letters = (width - 2 * MARGIN) / LETTER
  const [heads, notes] = [
    wrap(title, { width: letters / TITLE_STRETCH, indent: '' }),
    wrap(subtitle, { width: letters, indent: '' })
  ]
  return {
    height: (heads.length + notes.length) * LINE + 2 * MARGIN,
    titles: {
      text: heads.join('\n'),
      subtext: notes.join('\n'),
      left: MARGIN,
      top: 8,
      padding: 0,
      itemGap: 4,
      textStyle: { color: theme.ink, fontSize: 15, fontWeight: 600, lineHeight: LINE },
      subtextStyle: { color: theme.muted, fontSize: 12, lineHeight: LINE }
    }
  }
}

/** @type {(figure: LinesFigure, frame: Frame) => any} */
function lines ({ x, y, rows }, { theme, top, unit }) {
  const points = rows.flatMap(({ points }) => points)
  const prominent = prominentIn(rows)
  const hues = huesOf([...prominent], theme)
  const labels = Math.max(0, ...[...prominent].map(one => widthOf(labelOf(one))))
  const last = Math.max(...points.map(({ x }) => x))
  return {
    height: top + PLOT + AXIS,
    grid: { left: 62, right: labels + 24, top, height: PLOT },
    xAxis: axis(
      x,
      points.map(({ x }) => x),
      theme
    ),
    yAxis: {
      ...axis(
        y,
        points.flatMap(({ low, value, high }) => [low, value, high]),
        theme
      ),
      nameGap: 44
    },
    series: rows.flatMap(one => {
      const isProminent = prominent.has(one)
      const colour = hues.get(one) ?? theme.muted
      const ends = one.points.at(-1)?.x === last
      return [
        ...(isProminent ? [band(one, colour)] : []),
        {
          type: 'line',
          name: one.name,
          data: one.points.map(point => ({
            value: [point.x, point.value],
            cell: point.cell,
            label: `${one.name} at ${formatNumber(point.x)}: ${formatDot(point)} ${unit}`
          })),
          symbol: one.style.symbol,
          symbolSize: isProminent ? 9 : 5,
          showSymbol: isProminent,
          itemStyle: mark(colour, one.style.hollow, theme),
          lineStyle: {
            color: colour,
            width: one.control ? 3 : isProminent ? 1.8 : 1,
            type: isProminent ? one.style.dash : 'solid',
            opacity: isProminent ? 1 : 0.45
          },
          triggerEvent: 'line',
          emphasis: { focus: 'series', lineStyle: { width: 3, opacity: 1 }, endLabel: { show: true } },
          endLabel: {
            show: isProminent,
            formatter: labelOf(one),
            color: colour,
            fontWeight: one.control ? 700 : 500,
            lineHeight: 15,
            distance: ends ? 10 : 4
          },
          labelLayout: { moveOverlap: 'shiftY' },
          z: isProminent ? 4 : 3
        }
      ]
    })
  }
}

/** @param {Dot} dot */
const formatDot = ({ value: median, low, high }) => formatInterval({ median, low, high })

/**
 * Curves that a reader looks for: all where they are few; else the control, the best and the worst over the sweep.
 *
 * @param {Curve[]} curves
 */
function prominentIn (curves) {
  if (curves.length <= FEW) return new Set(curves)
  const costOf = (/** @type {Curve} */ { points }) =>
    points.reduce((sum, { value }) => sum + Math.log(value), 0) / points.length
  const longest = Math.max(...curves.map(({ points }) => points.length))
  const ranked = curves.filter(({ points }) => points.length === longest).sort((a, b) => costOf(a) - costOf(b))
  return new Set([...curves.filter(({ control }) => control), ...ranked.slice(0, BEST), ...ranked.slice(-1)])
}

/**
 * A queue keeps its hue in all pictures, unless another one of this picture has it.
 *
 * @type {(curves: Curve[], theme: Theme) => Map<Curve, string>}
 */
function huesOf (curves, { hues }) {
  /** @type {Set<string>} */
  const taken = new Set()
  return new Map(
    curves.map(one => {
      const own = hues[one.style.hue]
      const hue = taken.has(own) ? (hues.find(hue => !taken.has(hue)) ?? own) : own
      taken.add(hue)
      return [one, hue]
    })
  )
}

/** @type {(curve: Curve, colour: string) => object} */
function band ({ name, points }, colour) {
  return {
    type: 'custom',
    name,
    silent: true,
    z: 2,
    data: [0],
    renderItem: (/** @type {any} */ _params, /** @type {any} */ api) => ({
      type: 'polygon',
      shape: {
        points: [
          ...points.map(({ x, high }) => api.coord([x, high])),
          ...points.map(({ x, low }) => api.coord([x, low])).reverse()
        ]
      },
      style: { fill: colour, opacity: 0.16 }
    })
  }
}

/** @type {(figure: DotsFigure, frame: Frame) => any} */
function dots ({ x, rows, reference }, { theme, top, unit }) {
  const values = rows.flatMap(({ dot }) => [dot.value, dot.low, dot.high])
  return {
    ...layRows(rows, { theme, top }),
    xAxis: axis(x, [...values, ...(reference ? [reference.value] : [])], theme),
    series: [
      {
        type: 'custom',
        silent: true,
        data: rows.map((_, i) => i),
        renderItem: (/** @type {any} */ { dataIndex }, /** @type {any} */ api) => ({
          type: 'group',
          children: [
            whiskerOf(rows[dataIndex], dataIndex, theme, api),
            ...(reference ? [markOf(reference.value, dataIndex, theme, api)] : [])
          ]
        })
      },
      {
        type: 'scatter',
        symbol: 'circle',
        symbolSize: 10,
        data: rows.map(({ name, dot, style, cell }, row) => ({
          value: [dot.value, row],
          cell,
          itemStyle: mark(theme.hues[style.hue], false, theme),
          label: `${name}: ${formatDot(dot)} ${unit}`
        }))
      }
    ]
  }
}

/** @type {(colour: string, isHollow: boolean, theme: Theme) => object} */
const mark = (colour, isHollow, theme) => ({
  color: isHollow ? theme.paper : colour,
  borderColor: isHollow ? colour : theme.paper,
  borderWidth: isHollow ? 2 : 1
})

/**
 * The interval of a row's dot.
 *
 * @type {(row: DotRow, index: number, theme: Theme, api: any) => object}
 */
function whiskerOf ({ dot: { low, high }, style: { hue } }, index, theme, api) {
  const [[x1, y1], [x2]] = [low, high].map(value => api.coord([value, index]))
  return { type: 'line', shape: { x1, y1, x2, y2: y1 }, style: { stroke: theme.hues[hue], lineWidth: 2.5 } }
}

/**
 * A row's piece of the line to compare with.
 *
 * @type {(value: number, row: number, theme: Theme, api: any) => object}
 */
function markOf (value, row, theme, api) {
  const [x, middle] = api.coord([value, row])
  return {
    type: 'line',
    shape: { x1: x, x2: x, y1: middle - ROW / 2, y2: middle + ROW / 2 },
    style: { stroke: theme.ink, opacity: 0.7, lineDash: [4, 3] }
  }
}

/**
 * A row for each queue: its name on the left, its figure on the right.
 *
 * @param {DotRow[]} rows
 * @param {{theme: Theme, top: number}} options
 */
function layRows (rows, { theme, top }) {
  const height = rows.length * ROW
  const side = { type: 'category', inverse: true, axisLine: { show: false }, axisTick: { show: false } }
  const label = { color: theme.ink, interval: 0 }
  return {
    height: top + height + AXIS,
    grid: { left: Math.max(0, ...rows.map(row => widthOf(labelOf(row)))) + 24, right: 64, top, height },
    yAxis: [
      { ...side, data: rows.map(labelOf), axisLabel: label, splitLine: { show: false } },
      { ...side, data: rows.map(({ dot }) => formatNumber(dot.value)), position: 'right', axisLabel: label }
    ]
  }
}

/** @type {(figure: MapFigure, frame: Frame) => any} */
function map ({ x, y, fields }, { theme, top, width, unit }) {
  const height = y.values.length * FIELD
  const [left, right] = [56, 8]
  const side = (/** @type {Categories} */ { title, values }) => ({
    ...axisStyle(theme),
    type: 'category',
    data: values.map(formatNumber),
    name: title,
    nameLocation: 'middle',
    axisTick: { show: false },
    splitLine: { show: false }
  })
  const letters = Math.floor(((width - left - right) / x.values.length - 10) / LETTER)
  const longest = Math.max(...fields.flatMap(({ name }) => atHyphens(name, letters)).map(({ length }) => length))
  const fontSize = Math.max(SMALLEST, Math.min(12, Math.floor((12 * letters) / longest)))
  return {
    height: top + height + AXIS,
    grid: { left, right, top, height },
    xAxis: { ...side(x), nameGap: 28 },
    yAxis: { ...side(y), nameGap: 36 },
    series: [
      {
        type: 'custom',
        data: fields.map(field => ({
          value: [x.values.indexOf(field.x), y.values.indexOf(field.y)],
          cell: field.cell,
          label:
            `${field.name} at ${x.title} ${formatNumber(field.x)}, ${y.title} ${formatNumber(field.y)}: ` +
            `${formatNumber(field.value)} ${unit}${field.tiedWith ? `, tied with ${field.tiedWith}` : ''}`
        })),
        renderItem: (/** @type {any} */ { dataIndex }, /** @type {any} */ api) => {
          const field = fields[dataIndex]
          const [centre, middle] = api.coord([api.value(0), api.value(1)])
          const [column, row] = api.size([1, 1])
          const colour = theme.hues[field.style.hue]
          const words = [...atHyphens(field.name, letters), `${formatNumber(field.value)} ${unit}`]
          return {
            type: 'rect',
            shape: { x: centre - column / 2 + 1, y: middle - row / 2 + 1, width: column - 2, height: row - 2 },
            style: {
              fill: colour,
              fillOpacity: field.tiedWith ? 0.12 : 0.3,
              stroke: colour,
              lineDash: field.tiedWith ? [3, 3] : undefined
            },
            textContent: {
              type: 'text',
              style: {
                text: words.join('\n'),
                fill: theme.ink,
                fontSize,
                lineHeight: 15,
                align: 'center',
                width: column - 4,
                overflow: 'truncate'
              }
            },
            textConfig: { position: 'inside' }
          }
        }
      }
    ]
  }
}

/**
 * Breaks a name after a hyphen where it is longer than its field.
 *
 * @type {(name: string, letters: number) => string[]}
 */
function atHyphens (name, letters) {
  /** @type {string[]} */
  const broken = []
  for (const part of name.split(/(?<=-)/)) {
    const last = broken.at(-1)
    if (last !== undefined && last.length + part.length <= letters) broken[broken.length - 1] = last + part
    else broken.push(part)
  }
  return broken
}

/** @type {(axis: Axis, values: number[], theme: Theme) => any} */
function axis ({ title, log }, values, theme) {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const base = { ...axisStyle(theme), name: title, nameLocation: 'middle', nameGap: 30 }
  if (!log) return { ...base, type: 'value', min: Math.min(0, low) }
  const [min, max] =
    low === high ? [Math.max(low / 2, Number.MIN_VALUE), Math.min(high * 2, Number.MAX_VALUE)] : [low, high]
  const ticks = ticksBetween(min, max)
  return {
    ...base,
    type: 'log',
    min: Math.min(min, ticks[0]),
    max: Math.max(max, ticks[ticks.length - 1]),
    axisLabel: { ...base.axisLabel, customValues: ticks },
    axisTick: { show: false, customValues: ticks },
    splitLine: { ...base.splitLine, customValues: ticks }
  }
}

/** @param {Theme} theme */
const axisStyle = theme => ({
  nameTextStyle: { color: theme.ink, fontSize: 12 },
  axisLine: { lineStyle: { color: theme.faint } },
  axisTick: { show: false },
  splitLine: { lineStyle: { color: theme.faint } },
  axisLabel: { color: theme.muted, hideOverlap: true, formatter: formatTick }
})

/**
 * Round values within a logarithmic range, two or more: powers of ten, 2 and 5 times them where these are few, and
 * equal steps within one decade.
 *
 * @param {number} low
 * @param {number} high
 */
export function ticksBetween (low, high) {
  const decades = Math.log10(high) - Math.log10(low)
  if (decades < 0.7) return roundSteps(low, high)
  const steps = decades > MANY_DECADES ? [1] : [1, 2, 5]
  const powers = Array.from({ length: Math.ceil(decades) + 2 }, (_, i) => Math.floor(Math.log10(low)) + i)
  return powers
    .flatMap(power => steps.map(step => Number(`${step}e${power}`)))
    .filter(tick => tick >= low && tick <= high)
}

/** @type {(low: number, high: number) => number[]} */
function roundSteps (low, high) {
  const rough = (high - low) / 4
  const power = Math.floor(Math.log10(rough))
  const step = Number(`${[1, 2, 5, 10].find(digit => digit * 10 ** power >= rough) ?? 10}e${power}`)
  const [first, last] = [Math.floor(low / step), Math.ceil(high / step)]
  const ticks = Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)))
  return ticks.filter(tick => tick > 0)
}

/**
 * Ticks are round numbers: 0.5 and 100k, not 0.500 and 100.0k.
 *
 * @param {number | string} value
 */
function formatTick (value) {
  if (typeof value === 'string') return value
  return value >= 1e6 ? `${value / 1e6}M` : value >= 1e4 ? `${value / 1e3}k` : String(Number(value.toPrecision(4)))
}

/**
 * The control is marked as in tables.
 *
 * @param {{name: string, control: boolean}} series
 */
function labelOf ({ name, control }) {
  const short = name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1)}…` : name
  return control ? `= ${short}` : short
}

/** @param {string} text */
const widthOf = text => text.length * LETTER
