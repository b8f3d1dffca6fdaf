/** A figure as an SVG picture, by ECharts without a browser. Vega-Lite would add 79 packages, ECharts adds three. */
import { createRequire } from 'node:module'
import { attributesOf } from '../markup.js'
import { drawingOf } from './option.js'

/** @import { Figure } from './option.js' */
/** @import { Theme } from './style.js' */

const require = createRequire(import.meta.url)
/**
 * Loads ECharts with the first picture: that takes a third of the time in which a command starts. It is one file, where
 * the parts are hundreds: a process that may open 256 files at once could not load them.
 *
 * @returns {typeof import('echarts')}
 */
const loadEcharts = () => require('echarts/dist/echarts.min.js')
/** Styles of what a pointer touches: useless in a file, and numbered from picture to picture. */
const POINTER = /<style[^]*?<\/style>\s*| class="zr\d+-cls-\d+"| (ecmeta_\w+|pointer-events)="[^"]*"/g

/**
 * @param {Figure} figure
 * @param {Theme} theme
 * @returns {string} the same for the same figure
 */
export function drawFigure (figure, theme) {
  const { width, height, option } = drawingOf(figure, theme)
  const chart = loadEcharts().init(null, null, { renderer: 'svg', ssr: true, width, height })
  chart.setOption(option)
  const label = { role: 'img', 'aria-label': `${figure.title}; ${figure.subtitle}` }
  const svg = chart
    .renderToSVGString()
    .replaceAll(POINTER, '')
    .replaceAll(/zr\d+-c/g, 'clip-')
    .replaceAll(/[^\P{Cc}\n]/gu, ' ')
    .replace('<svg', () => `<svg${attributesOf(label)}`)
  chart.dispose()
  return svg
}
