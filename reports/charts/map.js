/** The cheapest queue over two parameters: a field for each pair of values. */
import { formatNumber } from '../../harness/model/numbers.js'
import { categories, LETTER } from './parts.js'

/**
 * @import { Captioned, Content, Frame, Marks } from './parts.js'
 *
 * @typedef {Marks & {x: number, y: number, value: number, tiedWith: string | null}} Field  `tiedWith`: queues that may
 *   be as cheap, the runner-up first.
 *
 * @typedef {{title: string, values: number[]}} Categories
 *
 * @typedef {Captioned & {kind: 'map', x: Categories, y: Categories, fields: Field[]}} MapFigure
 */

const FIELD = 58
/** Room beside the fields, for the vertical axis. */
const SIDES = 64
/** Space between fields. */
const GAP = 2

/** @type {(figure: MapFigure, frame: Frame) => Content} */
function draw ({ x, y, fields, unit }, { theme, width }) {
  const column = (width - SIDES) / x.values.length
  const letters = Math.floor(column / LETTER) - 1
  const inLines = (/** @type {string} */ name) => (name.length > letters ? name.replaceAll('-', '-\n') : name)
  return {
    plot: y.values.length * FIELD,
    right: 4,
    xAxis: categories(x.title, x.values.map(formatNumber), theme),
    yAxis: categories(y.title, y.values.map(formatNumber), theme),
    series: [
      {
        type: 'scatter',
        symbol: 'rect',
        symbolSize: [column - GAP, FIELD - GAP],
        data: fields.map(field => {
          const { name, tiedWith, style: { hue } } = field
          const value = `${formatNumber(field.value)} ${unit}`
          return {
            value: [x.values.indexOf(field.x), y.values.indexOf(field.y)],
            itemStyle: {
              color: `${theme.hues[hue]}${tiedWith ? '1f' : '4d'}`,
              borderColor: theme.hues[hue],
              borderWidth: 1,
              borderType: tiedWith ? 'dashed' : 'solid'
            },
            label: { formatter: `${inLines(name)}\n${value}` },
            text:
              `${name} at ${x.title} ${formatNumber(field.x)}, ${y.title} ${formatNumber(field.y)}: ${value}` +
              (tiedWith ? `, not told apart from ${tiedWith}` : '')
          }
        }),
        label: { show: true, color: theme.ink, fontSize: 11, lineHeight: 14, width: column - GAP, overflow: 'truncate' }
      }
    ]
  }
}

/** It stays legible where a page shows it at the width of a phone. */
export const map = { width: 520, draw }
