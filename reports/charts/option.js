/**
 * A figure, which holds values only, as an option of ECharts. Files and the page draw the same option; the page draws
 * it again for its own width, and ECharts adds what a reader can point at.
 */
import { dots } from './dots.js'
import { lines } from './lines.js'
import { map } from './map.js'
import { LETTER } from './parts.js'

/**
 * @import { Captioned, Marks } from './parts.js'
 * @import { Theme } from './style.js'
 *
 * @typedef {Parameters<(typeof charts)[keyof typeof charts]['draw']>[0]} Figure
 *
 * @typedef {{width: number, height: number, option: any}} Drawing
 */

/** Kinds of charts: those that show an answer best come first. */
export const charts = { map, lines, dots }

const FONT = 'system-ui, -apple-system, Segoe UI, Noto Sans, Helvetica, Arial, sans-serif'
const LINE = 18
const MARGIN = 12
/** Least room at the left of an axis. */
const EDGE = 4
/** Height of an axis with its title. */
const AXIS = 60
/** Letters of a title are larger and bolder. */
const TITLE_STRETCH = 1.4

/**
 * @param {Figure} figure
 * @param {Theme} theme
 * @param {{width?: number, shown?: Set<string>}} [page]  `shown`: queues that the reader has picked.
 * @returns {Drawing}
 */
export function drawingOf (figure, theme, { width = charts[figure.kind].width, shown } = {}) {
  const header = headerOf(figure, width - 2 * MARGIN, theme)
  const isShown = (/** @type {Marks} */ { name, queue = name }) => !shown || shown.has(queue)
  /** @type {any} */
  const { rows, ...rest } = figure
  const { plot, left = EDGE, right = MARGIN, ...content } = charts[figure.kind].draw(
    { ...rest, ...(rows && { rows: rows.filter(isShown) }) },
    { theme, width }
  )
  const option = {
    animation: false,
    backgroundColor: theme.paper,
    textStyle: { fontFamily: FONT, fontSize: 12, color: theme.ink },
    title: header.titles,
    grid: {
      left,
      right,
      top: header.height,
      bottom: MARGIN,
      outerBoundsMode: 'same',
      outerBoundsContain: 'all'
    },
    tooltip: {
      renderMode: 'richText',
      confine: true,
      backgroundColor: theme.paper,
      textStyle: { color: theme.ink },
      formatter: (/** @type {any} */ { data, seriesName }) => data?.text ?? seriesName
    },
    ...content
  }
  return { width, height: header.height + plot + AXIS, option }
}

/** @type {(figure: Captioned, width: number, theme: Theme) => {height: number, titles: object}} */
function headerOf ({ title, subtitle }, width, theme) {
  const linesIn = (/** @type {string} */ text, stretch = 1) => Math.ceil((text.length * LETTER * stretch) / width)
  const wrapped = { width, overflow: 'break', lineHeight: LINE }
  return {
    height: (linesIn(title, TITLE_STRETCH) + linesIn(subtitle)) * LINE + 2 * MARGIN,
    titles: {
      text: title,
      subtext: subtitle,
      left: MARGIN,
      top: 8,
      padding: 0,
      itemGap: 4,
      textStyle: { ...wrapped, color: theme.ink, fontSize: 15, fontWeight: 600 },
      subtextStyle: { ...wrapped, color: theme.muted, fontSize: 12 }
    }
  }
}
