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

/** @import { Summary } from '../../../harness/judge/summary.js' */

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

test('the ratio to the control takes the room of the interval, which the control keeps', () => {
  const text = render(heatsRun().summary)
  assert.match(text, /^= duration-lists +8\.52 \(6\.63–12\.8\) 1\.00x \* +11 +113$/m)
  assert.match(text, /^ {2}binary-heap +15\.7 1\.73x \(1\.50–2\.01\) +7\.66 \* +69\.6$/m)
  assert.match(text, /^growth with size +ns\/op +work\/op\n= duration-lists +-0\.03 \(-0\.14–0\.09\) +0\.00$/m)
})

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
  const shared = summary.cells.map(cell => ({
    ...cell,
    metrics: Object.fromEntries(
      Object.entries(cell.metrics).map(([name, figures]) => [name, { ...figures, isShared: true }])
    )
  }))
  assert.match(render({ ...summary, cells: shared }), /^Requests\/s are from heats, too/m)
})

test('a long name of a runtime does not make tables wider than 80 columns', () => {
  const { summary } = heatsRun()
  const runtime = `${summary.environment.node} --min-semi-space-size=16 --max-semi-space-size=64`
  const moved = (/** @type {any[]} */ list) => list.map(each => ({ ...each, runtime }))
  const lines = render({
    ...summary,
    cells: moved(summary.cells),
    growth: moved(summary.growth),
    ranking: { ...summary.ranking, tables: moved(summary.ranking.tables) }
  }).split('\n')
  const headings = lines.filter(line => line.includes(runtime) && !line.includes(', seed '))
  assert.ok(headings.length > 3 && headings.every(line => line.endsWith(runtime)))
  assert.ok(lines.some(line => line.includes(`, Node ${runtime}, `)), 'the footer names it')
  for (const line of lines.filter(line => !line.includes(': ') && !line.includes(runtime))) {
    assert.ok(line.length <= 80, `${line.length}: ${line}`)
  }
})

test('phases, small ratios and long names fit 80 columns', () => {
  const { summary } = heatsRun()
  const ratio = { low: 0.00661, median: 0.00732, high: 0.00814 }
  const renamed = (/** @type {string} */ queue) => (queue === 'sorted-list' ? 'sorted-list-from-tail' : queue)
  const cells = summary.cells
    .filter(({ scenario }) => scenario === 'refresh-one-duration')
    .map(cell => {
      const { nsPerOp, ...others } = cell.metrics
      const figures = nsPerOp.ratio ? { ...nsPerOp, ratio: { ...nsPerOp.ratio, ...ratio } } : nsPerOp
      return {
        ...cell,
        queue: renamed(cell.queue),
        metrics: { nsPerOp: figures, startNsPerTimer: figures, expireNsPerTimer: figures, ...others }
      }
    })
  const text = render({ ...onlyOf(summary, 'refresh-one-duration'), cells, growth: [] })
  assert.match(text, /\.0073x \(\.0066–\.0081\)/)
  for (const line of text.split('\n').slice(1)) assert.ok(line.length <= 80, `${line.length}: ${line}`)
})

test('queues with fewer heats than others, and queues that are missing, are named below their table', () => {
  const { summary } = heatsRun()
  const heats = /** @type {Record<string, number>} */ ({ 'sorted-list': 3, 'binary-heap': 2 })
  const fewer = summary.cells.map(cell => {
    const { ratio, ...figures } = cell.metrics.cpuMicrosPerRequest ?? {}
    return ratio
      ? {
          ...cell,
          metrics: {
            ...cell.metrics,
            cpuMicrosPerRequest: { ...figures, ratio: { ...ratio, n: heats[cell.queue] ?? ratio.n } }
          }
        }
      : cell
  })
  assert.deepEqual(
    render({ ...summary, cells: fewer })
      .split('\n')
      .filter(line => line.includes(' instead of '))
      .sort(),
    ['  2 heats instead of 4: binary-heap', '  3 heats instead of 4: sorted-list']
  )
  const isGone = (/** @type {{scenario: string, queue: string}} */ { scenario, queue }) =>
    scenario === 'keep-alive' && queue !== 'node'
  const skipped = summary.cells
    .filter(isGone)
    .map(({ metrics, ...cell }) => ({
      ...cell,
      kind: cell.queue === 'sorted-list' ? 'crash' : 'out-of-time',
      reason: 'of something'
    }))
  const lines = render({ ...summary, cells: summary.cells.filter(cell => !isGone(cell)), skipped }).split('\n')
  assert.deepEqual(
    lines.filter(line => line.endsWith('of something')),
    ['  duration-lists and binary-heap: skipped, of something', '  sorted-list: failed, of something']
  )
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
