/** The stream that lab/notebook/league.md shows byte for byte, with the answers of drivers. */
import { readFileSync } from 'node:fs'
import { CANCEL, PASS, RESTART, START } from './streams.js'

const PAGE = new URL('../notebook/league.md', import.meta.url)

/** @type {import('./streams.js').Stream} */
export const EXAMPLE = {
  timers: 3,
  setup: records([0, START, 3], [1, START, 5]),
  lap: records([0, RESTART, 4], [1, CANCEL, 0], [1, START, 2], [2, START, 1], [0, PASS, 3]),
  blocks: 1,
  blockOperations: 3
}

/** @param {number[][]} all  Timer, kind and milliseconds of each record. */
function records (...all) {
  return Int32Array.from(all.flatMap(([timer, kind, ms]) => [timer * 4 + kind, ms]))
}

/** Reads the example from the page. */
export function readExample () {
  const page = readFileSync(PAGE, 'utf8')
  const bytes = Buffer.from(
    [...page.matchAll(/^((?:[0-9a-f]{2} ?){8,})/gm)].map(([, hex]) => hex.replaceAll(' ', '')).join(''),
    'hex'
  )
  const lines = (/** @type {string} */ sign) =>
    [...page.matchAll(new RegExp(`^${sign} (.*)$`, 'gm'))].map(([, line]) => line)
  return { bytes, requests: lines('>'), answers: lines('<') }
}
