/**
 * Marks that tell queues apart: colour, symbol and dash. Without colours, the first 16 queues still differ.
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
 * @typedef {{hue: number, symbol: string, dash: string | number[]}} Style  Marks of one queue.
 */

const HUES = 7
const SYMBOLS = ['circle', 'rect', 'triangle', 'diamond']
const DASHES = ['solid', [7, 3], [2, 3], [9, 3, 2, 3]]

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
 * @param {number} index  Position of the queue in its run.
 * @returns {Style} no two alike for the first 112: 7 hues, 4 symbols, 4 dashes
 */
export function styleOf (index) {
  return {
    hue: index % HUES,
    symbol: SYMBOLS[index % SYMBOLS.length],
    dash: DASHES[Math.floor(index / SYMBOLS.length) % DASHES.length]
  }
}
