/** A run in a terminal of 80 columns. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { stripVTControlCharacters } from 'node:util'
import picocolors from 'picocolors'
import { createDocument, number, section, table } from '../../../reports/blocks.js'
import { summaryDocument } from '../../../reports/documents/results.js'
import { renderTerminal } from '../../../reports/render/terminal.js'
import { wrap } from '../../../reports/wrap.js'
import { heatsRun } from '../fixture.js'

/** @import { Summary } from '../../../harness/judge/records.js' */

const render = (/** @type {Summary} */ summary) =>
  renderTerminal(summaryDocument(summary), picocolors.createColors(false))

/**
 * @param {Summary} summary
 * @param {string} scenario
 */
function onlyOf (summary, scenario) {
  const isOf = (/** @type {{scenario: string}} */ each) => each.scenario === scenario
  return {
    ...summary,
    scenarios: summary.scenarios.filter(({ name }) => name === scenario),
    cells: summary.cells.filter(isOf),
    growth: summary.growth.filter(isOf),
    ranking: { ...summary.ranking, tables: summary.ranking.tables.filter(isOf), deciding: [] }
  }
}

test('colours change no letter, and mark the best, the control and warnings', () => {
  const { summary } = heatsRun()
  const warned = { ...summary, warnings: ['x'] }
  const style = picocolors.createColors(true)
  const coloured = renderTerminal(summaryDocument(warned), style)
  assert.equal(stripVTControlCharacters(coloured), render(warned))
  for (const part of [
    style.cyan('= duration-lists'),
    style.green('8.52 (6.63–12.8) 1.00x *'),
    style.yellow('warning: x')
  ]) {
    assert.ok(coloured.includes(part), part)
  }
})

test('the legend explains the columns and marks that are shown, and no others', () => {
  const { summary } = heatsRun()
  const http = render(onlyOf(summary, 'keep-alive'))
  assert.match(http, /= control \(node\)/)
  assert.match(http, /^Work\/request: /m)
  assert.doesNotMatch(http, /growth|^Work: |duration-lists\)/im)
  const micro = render(onlyOf(summary, 'refresh-one-duration'))
  assert.match(micro, /= control \(duration-lists\)[^]*^Work: /m)
  assert.doesNotMatch(micro, /Work\/request|CPU per request/)
  assert.equal(render(summary).match(/CPU per request is from heats/g)?.length, 1)
})

test('figures that belong to windows say so, unless they come from heats', () => {
  const { summary } = heatsRun()
  assert.match(render(summary), /^Requests\/s are from windows in which each was alone/m)
  const shared = structuredClone(summary)
  for (const { metrics } of shared.cells) for (const figures of Object.values(metrics)) figures.isShared = true
  assert.match(render(shared), /^Requests\/s are from heats, too/m)
})

test('a long name of a runtime does not make tables wider than 80 columns', () => {
  const { summary } = heatsRun()
  const runtime = `${summary.environment.node} --min-semi-space-size=16 --max-semi-space-size=64`
  const moved = structuredClone(summary)
  for (const place of [...moved.cells, ...moved.growth, ...moved.ranking.tables]) place.runtime = runtime
  const lines = render(moved).split('\n')
  assert.ok(lines.filter(line => line.endsWith(runtime)).length > 3, 'tables are named by it')
  assert.ok(lines.join(' ').replaceAll(/ +/g, ' ').includes(`, Node ${runtime}, `), 'the footer names it')
  for (const line of lines.filter(line => !line.includes(': ') && !line.includes(runtime))) {
    assert.ok(line.length <= 80, `${line.length}: ${line}`)
  }
})

test('phases, small ratios and long names fit 80 columns', () => {
  const summary = onlyOf(structuredClone(heatsRun().summary), 'refresh-one-duration')
  for (const cell of summary.cells) {
    const { nsPerOp, ...others } = cell.metrics
    if (nsPerOp.ratio) Object.assign(nsPerOp.ratio, { low: 0.00661, median: 0.00732, high: 0.00814 })
    if (cell.queue === 'sorted-list') cell.queue = 'sorted-list-from-tail'
    cell.metrics = { nsPerOp, startNsPerTimer: nsPerOp, expireNsPerTimer: nsPerOp, ...others }
  }
  const text = render({ ...summary, growth: [] })
  assert.match(text, /\.0073x \(\.0066–\.0081\)/)
  for (const line of text.split('\n').slice(1)) assert.ok(line.length <= 80, `${line.length}: ${line}`)
})

test('queues with fewer heats than others, and queues that are missing, are named below their table', () => {
  const { summary } = heatsRun()
  const heats = /** @type {Record<string, number>} */ ({ 'sorted-list': 3, 'binary-heap': 2 })
  const fewer = structuredClone(summary)
  for (const { queue, metrics } of fewer.cells) {
    const { ratio } = metrics.cpuMicrosPerRequest ?? {}
    if (ratio) ratio.n = heats[queue] ?? ratio.n
  }
  const linesOf = (/** @type {Summary} */ summary, /** @type {string} */ part) =>
    render(summary)
      .split('\n')
      .filter(line => line.includes(part))
      .sort()
  assert.deepEqual(linesOf(fewer, ' instead of '), [
    '  2 heats instead of 4: binary-heap',
    '  3 heats instead of 4: sorted-list'
  ])
  const isGone = (/** @type {Summary['cells'][0]} */ { scenario, queue }) =>
    scenario === 'keep-alive' && queue !== 'node'
  const skipped = summary.cells.filter(isGone).map(cell => ({
    ...cell,
    kind: cell.queue === 'sorted-list' ? 'crash' : 'out-of-time',
    reason: 'of something'
  }))
  const cells = summary.cells.filter(cell => !isGone(cell))
  assert.deepEqual(linesOf({ ...summary, cells, skipped }, 'of something'), [
    '  duration-lists and binary-heap: skipped, of something',
    '  sorted-list: failed, of something'
  ])
})

test('a column of numbers is aligned at the right, of words at the left, whatever room their letters take', () => {
  const content = table({
    caption: 'name',
    columns: ['queue', 'word', number('count')],
    rows: [
      ['時計', 'x', '1'],
      ['bcd', 'yz', '100']
    ]
  })
  assert.equal(
    renderTerminal(createDocument([], [section('s', [content])]), picocolors.createColors(false)),
    's\nname  word  count\n時計  x         1\nbcd   yz      100\n'
  )
})

test('text is wrapped between words, not within a number nor before its unit', () => {
  for (const end of ['10 000 timers', '95 % sure', '250 µs of it']) {
    assert.deepEqual(wrap(`${'word '.repeat(15)}at ${end}`), [`${'word '.repeat(15)}at`, `  ${end}`])
  }
  assert.deepEqual(wrap('short'), ['short'])
  assert.equal(wrap('時計 '.repeat(20)).length, 2, 'a letter may take two columns')
})
