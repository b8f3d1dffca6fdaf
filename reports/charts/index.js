/**
 * A figure, which is data, as an SVG picture. One drawing for reports and the page, where the same code draws again what
 * the reader picks and zooms: Vega-Lite would draw as well, but adds 79 packages and 25 MB to an installation, half a
 * megabyte to every page, and places no labels beside their curves. Runs in the page too: imports nothing of Node.
 *
 * @typedef {import('./lines.js').LinesFigure} LinesFigure
 * @typedef {import('./dots.js').DotsFigure} DotsFigure
 * @typedef {import('./bars.js').BarsFigure} BarsFigure
 * @typedef {import('./map.js').MapFigure} MapFigure
 * @typedef {import('./flame.js').FlameFigure} FlameFigure
 * @typedef {LinesFigure | DotsFigure | BarsFigure | MapFigure | FlameFigure} Figure
 */
import { drawBars, layoutBars } from './bars.js'
import { drawDots, layoutDots } from './dots.js'
import { drawFlame, layoutFlame } from './flame.js'
import { drawLines, layoutLines } from './lines.js'
import { drawMap } from './map.js'

/**
 * @param {Figure} figure
 * @param {import('./style.js').Theme} theme
 * @param {import('./frame.js').Drawing} [drawing]
 * @returns {string}
 */
export function drawFigure (figure, theme, drawing) {
  switch (figure.kind) {
    case 'lines': return drawLines(figure, theme, drawing)
    case 'dots': return drawDots(figure, theme, drawing)
    case 'bars': return drawBars(figure, theme, drawing)
    case 'map': return drawMap(figure, theme, drawing)
    case 'flame': return drawFlame(figure, theme, drawing)
  }
}

/**
 * Where the axes are, for zooming; null for what has none.
 *
 * @param {Figure} figure
 * @param {import('./frame.js').Drawing} [drawing]
 * @returns {{plot: import('./frame.js').Plot, x: import('./scales.js').Scale, y?: import('./scales.js').Scale} | null}
 */
export function layoutFigure (figure, drawing) {
  switch (figure.kind) {
    case 'lines': return layoutLines(figure, drawing)
    case 'dots': return layoutDots(figure, drawing)
    case 'bars': return layoutBars(figure, drawing)
    case 'map': return null
    case 'flame': return layoutFlame(figure, drawing)
  }
}
