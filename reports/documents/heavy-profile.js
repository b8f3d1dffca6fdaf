/** A heavy (bottom-up) profile as text, like those of V8's tick processor and of the wiki. */

/**
 * @import { HeavyRow } from '../../harness/profile/analysis/heavy-profile.js'
 *
 * @param {{javascript: HeavyRow[], native: HeavyRow[]}} heavy
 * @param {{title: string, ticks: number, idleTicks: number}} heading  `ticks`: in all.
 */
export function renderHeavyProfile ({ javascript, native }, { title, ticks, idleTicks }) {
  return [
    title,
    '',
    '[Bottom up (heavy) profile]:',
    '  Note: percentage shows a share of a particular caller in the total amount of its',
    '  parent calls; at the top, of the CPU that the process used.',
    '  Callers occupying less than 2.0% are not shown.',
    `  ${ticks} ticks, ${idleTicks} of them idle and not shown.`,
    '',
    renderHalf('JavaScript', javascript),
    renderHalf('Native code and system calls', native)
  ].join('\n')
}

/**
 * @param {string} heading
 * @param {HeavyRow[]} rows
 */
function renderHalf (heading, rows) {
  return [` [${heading}]:`, '  ticks parent  name', ...rows.map(row => renderRows([row], 0).join('\n') + '\n')].join(
    '\n'
  )
}

/**
 * The rows with most ticks, without their callers: shares of the whole.
 *
 * @param {HeavyRow[]} rows
 * @param {number} count
 */
export const renderHeaviest = (rows, count) =>
  [
    '  ticks of CPU  name',
    ...[...rows]
      .sort((a, b) => b.ticks - a.ticks)
      .slice(0, count)
      .map(row => renderRow(row, 0))
  ].join('\n')

/**
 * @param {HeavyRow[]} rows
 * @param {number} depth
 * @returns {string[]}
 */
const renderRows = (rows, depth) => rows.flatMap(row => [renderRow(row, depth), ...renderRows(row.callers, depth + 1)])

/**
 * @param {HeavyRow} row
 * @param {number} depth
 */
function renderRow ({ ticks, share, name, url, line }, depth) {
  const percent = (100 * share).toFixed(1)
  const indent = '  '.repeat(depth)
  return `${String(ticks).padStart(7)} ${percent.padStart(6)}%  ${indent}${nameFunction({ name, url, line })}`
}

/**
 * Name and place as in a stack trace, without the folders of the file.
 *
 * @param {{name: string, url: string, line: number}} frame
 */
function nameFunction ({ name, url, line }) {
  if (url === '') return name
  const file = url.startsWith('node:') ? url : url.slice(url.lastIndexOf('/') + 1)
  return `${name} ${file}:${line}`
}
