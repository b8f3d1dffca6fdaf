/**
 * A figure, which is data, as an SVG picture. One drawing for reports and the page, where the same code draws again what
 * the reader picks and zooms: Vega-Lite would draw as well, but adds 79 packages and 25 MB to an installation, half a
 * megabyte to every page, and places no labels beside their curves. Runs in the page too: imports nothing of Node.
 *
 * @typedef {import('./lines.js').LinesFigure | import('./dots.js').DotsFigure | import('./bars.js').BarsFigure | import('./map.js').MapFigure} Figure
 */
import { drawBars, layoutBars } from './bars.js'
import { drawDots, layoutDots } from './dots.js'
import { drawLines, layoutLines } from './lines.js'
import { drawMap } from './map.js'

/**
 * @param {Figure} figure
 * @param {import('./style.js').Theme} theme
 * @param {any} [view]  The part that is shown; all when left out.
 * @returns {string}
 */
export function drawFigure (figure, theme, view) {
  switch (figure.kind) {
    case 'lines': return drawLines(figure, theme, view)
    case 'dots': return drawDots(figure, theme, view)
    case 'bars': return drawBars(figure, theme, view)
    case 'map': return drawMap(figure, theme)
  }
}

/**
 * Where the axes are, for zooming.
 *
 * @param {Figure} figure
 * @param {any} [view]
 */
export function layoutFigure (figure, view) {
  switch (figure.kind) {
    case 'lines': return layoutLines(figure, view)
    case 'dots': return layoutDots(figure, view)
    case 'bars': return layoutBars(figure, view)
    case 'map': return null
  }
}
