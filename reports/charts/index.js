/**
 * A figure, which holds values only, as an SVG picture. The same picture goes into files and into the page, whose
 * script shows, hides and enlarges it. Vega-Lite would draw as well, but adds 79 packages and 25 MB to an installation.
 */
import { drawBars } from './bars.js'
import { drawDots } from './dots.js'
import { drawLines } from './lines.js'
import { drawMap } from './map.js'

/**
 * @import { BarsFigure } from './bars.js'
 * @import { DotsFigure } from './dots.js'
 * @import { LinesFigure } from './lines.js'
 * @import { MapFigure } from './map.js'
 * @import { Theme } from './style.js'
 *
 * @typedef {LinesFigure | DotsFigure | BarsFigure | MapFigure} Figure
 */

/**
 * @param {Figure} figure
 * @param {Theme} theme
 * @returns {string}
 */
export function drawFigure (figure, theme) {
  switch (figure.kind) {
    case 'lines':
      return drawLines(figure, theme)
    case 'dots':
      return drawDots(figure, theme)
    case 'bars':
      return drawBars(figure, theme)
    case 'map':
      return drawMap(figure, theme)
  }
}
