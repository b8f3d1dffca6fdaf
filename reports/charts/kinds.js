/** Kinds of charts, a line each: those that show an answer best come first. */
import { dots } from './dots.js'
import { lines } from './lines.js'
import { map } from './map.js'

export const charts = { map, lines, dots }

/** @typedef {Parameters<(typeof charts)[keyof typeof charts]['draw']>[0]} Figure */
