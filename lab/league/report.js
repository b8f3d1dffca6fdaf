/** The league as markdown, which reads as well in a terminal. */
import { markdownTable } from 'markdown-table'
import { formatCount, formatNumber, formatRatio, formatRatioWithInterval } from '../../harness/model/numbers.js'
import { geometricMean } from './standings.js'

/**
 * @typedef {import('./standings.js').Standing} Standing
 *
 * @typedef {object} StreamResult
 * @property {string} name
 * @property {string} title
 * @property {number} heats
 * @property {Standing[]} standings
 * @property {{name: string, error: string}[]} failed
 *
 * @typedef {object} League
 * @property {string} control
 * @property {string[]} drivers  Names of the drivers alone.
 * @property {StreamResult[]} streams
 * @property {{name: string, reason: string}[]} skipped  Parties that could not be made.
 * @property {import('../../harness/processes/environment.js').Environment} environment
 * @property {boolean} load  Measured with a busy loop on each core.
 * @property {string} date
 */

/**
 * @param {League} league
 * @returns {string}
 */
export function renderLeague ({ control, drivers, streams, skipped, environment, load, date }) {
  const measured = streams.filter(({ heats }) => heats > 0)
  const { cpu, cores, kernel, pinning, gitCommit } = environment
  const company = load ? 'a busy loop on each core' : 'nothing else started'
  const reasons = skipped.map(({ name, reason }) => `${name} (${reason})`).join(', ')
  return (
    [
      `${cpu}, ${formatCount(cores, 'core')}, ${kernel}, ${company}; ${pinning}; timerq at ${gitCommit}, ${date}.`,
      ...(skipped.length === 0
        ? []
        : [`${formatCount(skipped.length, 'group')} of competitors skipped: ${reasons}.`]),
      summarise(measured, { control, drivers }),
      ...measured.flatMap(stream => [
        `### ${stream.name}`,
        describeStream(stream, control),
        ...stream.failed.map(({ name, error }) => `${name} has no figure: ${error}.`)
      ])
    ].join('\n\n') + '\n'
  )
}

/**
 * @param {StreamResult[]} streams
 * @param {{control: string, drivers: string[]}} names
 */
function summarise (streams, { control, drivers }) {
  const names = [...new Set(streams.flatMap(({ standings }) => standings.map(({ name }) => name)))].filter(
    name => name !== control && !drivers.includes(name)
  )
  const rows = names
    .map(name => {
      const of = (/** @type {'ratio' | 'net'} */ key) =>
        streams.flatMap(({ standings }) => standings.find(standing => standing.name === name)?.[key]?.median ?? [])
      const [ratios, nets] = [of('ratio'), of('net')]
      const cells = [ratios, nets].flatMap(values =>
        values.length === 0 ? ['-', '-'] : [formatRatio(geometricMean(values)), formatRatio(Math.max(...values))]
      )
      return { order: geometricMean(nets.length > 0 ? nets : ratios), cells: [name, String(ratios.length), ...cells] }
    })
    .sort((a, b) => a.order - b.order)
    .map(({ cells }) => cells)
  return markdownTable(
    [[`ratio to ${control}`, 'streams', 'geometric mean', 'worst', 'mean net of drivers', 'worst net'], ...rows],
    { align: ['l', 'r', 'r', 'r', 'r', 'r'] }
  )
}

/**
 * @param {StreamResult} stream
 * @param {string} control
 */
function describeStream ({ title, heats, standings }, control) {
  const cell = (/** @type {import('./standings.js').Ratio | null} */ ratio) =>
    ratio ? formatRatioWithInterval(ratio) : '-'
  const rows = [...standings]
    .sort((a, b) => a.nsPerOp - b.nsPerOp)
    .map(({ name, nsPerOp, ratio, net }) => [name, formatNumber(nsPerOp), cell(ratio), cell(net)])
  return (
    `${title} (${formatCount(heats, 'heat')}).\n\n` +
    markdownTable([['', 'ns an operation', `ratio to ${control}`, 'net of drivers'], ...rows], {
      align: ['l', 'r', 'r', 'r']
    })
  )
}
