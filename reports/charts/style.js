/**
 * Marks that tell queues apart: symbols, dashes and colours. Symbols and dashes alone serve black and white and
 * colour-blind readers.
 *
 * The colours are those of Okabe and Ito ("Color Universal Design", 2008), darkened or lightened until each has a
 * contrast of 3:1 with its background.
 *
 * @typedef {object} Theme
 * @property {string} paper
 * @property {string} ink
 * @property {string} faint  Grids and axes.
 * @property {string} muted  Secondary text.
 * @property {string[]} hues
 *
 * @typedef {{hue: number, symbol: string, dash: string, hollow: boolean}} Style  Marks of one queue.
 */

const HUES = 7
const SYMBOLS = ['circle', 'square', 'triangle', 'diamond', 'cross', 'wedge', 'plus', 'bar']
const DASHES = ['', '7 3', '2 3', '9 3 2 3']

/** @type {Theme} */
export const lightTheme = {
  paper: '#ffffff',
  ink: '#1f2328',
  faint: '#d8dde3',
  muted: '#59636e',
  hues: ['#0072b2', '#c94f00', '#008a64', '#a3438c', '#8a6a00', '#4a4a4a', '#2b87bd']
}

/** @type {Theme} */
export const darkTheme = {
  paper: '#0d1117',
  ink: '#e6edf3',
  faint: '#30363d',
  muted: '#9aa4af',
  hues: ['#58b2ec', '#ff8b4a', '#2fc498', '#e092cb', '#e0b93a', '#c9c9c9', '#8fa8ff']
}

/**
 * The page's own, which follow the reader's choice of light or dark.
 *
 * @type {Theme}
 */
export const pageTheme = {
  paper: 'var(--paper)',
  ink: 'var(--ink)',
  faint: 'var(--faint)',
  muted: 'var(--muted)',
  hues: Array.from({ length: HUES }, (_, i) => `var(--hue-${i})`)
}

/**
 * @param {number} index  Position of the queue in its run.
 * @returns {Style} no two alike for the first 56
 */
export function styleOf (index) {
  return {
    hue: index % HUES,
    symbol: SYMBOLS[index % SYMBOLS.length],
    dash: DASHES[index % DASHES.length],
    hollow: Math.floor(index / HUES) % 2 === 1
  }
}

/** Outlines around (0, 0), of about the same area. */
const OUTLINES = new Map(
  Object.entries({
    circle: 'M-4.5,0a4.5,4.5 0 1,0 9,0a4.5,4.5 0 1,0 -9,0Z',
    square: 'M-4,-4H4V4H-4Z',
    triangle: 'M0,-5.5L5,3.5H-5Z',
    diamond: 'M0,-5.8L5,0L0,5.8L-5,0Z',
    cross: 'M-4.5,-2.5L-2.5,-4.5L0,-2L2.5,-4.5L4.5,-2.5L2,0L4.5,2.5L2.5,4.5L0,2L-2.5,4.5L-4.5,2.5L-2,0Z',
    wedge: 'M0,5.5L5,-3.5H-5Z',
    plus: 'M-1.6,-5H1.6V-1.6H5V1.6H1.6V5H-1.6V1.6H-5V-1.6H-1.6Z',
    bar: 'M-2,-5.5H2V5.5H-2Z'
  })
)

/** @param {string} symbol */
export const outlineOf = symbol => /** @type {string} */ (OUTLINES.get(symbol))
