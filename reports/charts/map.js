/** The cheapest queue over two parameters: a field for each pair of values. */
import { formatNumber } from '../../harness/model/numbers.js'
import { categories, LETTER } from './parts.js'

/**
 * @import { Captioned, Content, Frame, Marks } from './parts.js'
 *
 * @typedef {Marks & {x: number, y: number, value: number, tiedWith: string | null}} Field  `tiedWith`: queues that tie
 *   with it, the runner-up first.
 *
 * @typedef {{title: string, values: number[]}} Categories
 *
 * @typedef {Captioned & {kind: 'map', x: Categories, y: Categories, fields: Field[]}} MapFigure
 */

const FIELD = 58
/** Room beside the fields, for the vertical axis. */
const SIDES = 64
/** Font size of names on a phone, in pixels. */
const SMALLEST = 9

/** @type {(figure: MapFigure, frame: Frame) => Content} */
function draw ({ x, y, fields }, { theme, width, unit }) {
  const letters = Math.floor(((width - SIDES) / x.values.length - 10) / LETTER)
  const longest = Math.max(...fields.flatMap(({ name }) => atHyphens(name, letters)).map(({ length }) => length))
  const fontSize = Math.max(SMALLEST, Math.min(12, Math.floor((12 * letters) / longest)))
  return {
    plot: y.values.length * FIELD,
    right: 4,
    xAxis: categories(x.title, x.values.map(formatNumber), theme),
    yAxis: categories(y.title, y.values.map(formatNumber), theme),
    series: [
      {
        type: 'custom',
        data: fields.map(field => ({
          value: [x.values.indexOf(field.x), y.values.indexOf(field.y)],
          cell: field.cell,
          label:
            `${field.name} at ${x.title} ${formatNumber(field.x)}, ${y.title} ${formatNumber(field.y)}: ` +
            `${formatNumber(field.value)} ${unit}${field.tiedWith ? `, not told apart from ${field.tiedWith}` : ''}`
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

/** It stays legible where a page shows it at the width of a phone. */
export const map = { width: 520, draw }
