import { test } from 'node:test'
import assert from 'node:assert/strict'
import picocolors from 'picocolors'
import { summaryDocument } from '../../../reports/documents/results.js'
import { renderTerminal as render } from '../../../reports/render/terminal.js'
import { heatsRun, smallRun } from '../fixture.js'

const plain = picocolors.createColors(false)
const renderTerminal = (/** @type {any} */ summary) => render(summaryDocument(summary), plain)

test('of the numbers of samples the legend names the ends', () => {
  const { summary } = smallRun()
  const [first, second, ...rest] = summary.cells
  const withCount = (/** @type {typeof first} */ cell, /** @type {number} */ n) =>
    ({ ...cell, metrics: Object.fromEntries(Object.entries(cell.metrics).map(([name, metric]) => [name, { ...metric, n: metric.n > 1 ? n : 1 }])) })
  const text = renderTerminal({ ...summary, cells: [withCount(first, 5), withCount(second, 2), ...rest] })
  assert.match(text, /interval of 2–5 fresh processes a cell/)
  assert.match(renderTerminal(summary), /interval of 3 fresh processes a cell/)
})

/**
 * @param {import('../../../harness/judge/summary.js').Summary} summary
 * @param {string} scenario
 */
const onlyOf = (summary, scenario) => {
  const isOwn = (/** @type {{scenario: string}} */ each) => each.scenario === scenario
  return { ...summary, cells: summary.cells.filter(isOwn), growth: summary.growth.filter(isOwn) }
}

test('after a sweep, how costs grew stands below the tables of the scenario, flattest first', () => {
  const text = renderTerminal(onlyOf(smallRun().summary, 'refresh-one-duration'))
  const [, table] = text.split(/^growth with size /m)
  const rows = table.split('\n').slice(0, 6)
  assert.deepEqual(rows.map(row => row.trim().split(/ {2,}/)), [
    ['ns/op', 'work/op'],
    ['unsorted-array', '0.03 (-0.21–0.27)', '0.00'],
    ['= duration-lists', '0.04 (-0.79–0.86)', '0.00'],
    ['hierarchical-wheel', '0.04 (-0.17–0.26)', '0.00'],
    ['binary-heap', '0.14 (-0.09–0.37)', '0.04'],
    ['sorted-list', '1.15 (0.17–2.13)', '0.98']
  ])
  assert.match(text, /^Growth: /m)
})

test('without a sweep growth is not mentioned', () => {
  assert.doesNotMatch(renderTerminal(onlyOf(smallRun().summary, 'keep-alive')), /growth/i)
})

test('the legend explains what is shown and nothing else', () => {
  const { summary } = smallRun()
  const legendOf = (/** @type {typeof summary} */ shown) => renderTerminal(shown).split(/^(?=\* best)/m)[1].split('\n\n')[0]
  const http = onlyOf(summary, 'keep-alive')
  assert.match(legendOf(http), /= control \(node\)/)
  assert.doesNotMatch(legendOf(http), /Work:/)
  assert.doesNotMatch(legendOf({ ...http, cells: http.cells.filter(({ queue }) => queue !== 'node') }), /control/)
  const micro = { ...onlyOf(summary, 'refresh-one-duration'), environment: { ...summary.environment, loadGenerator: 'none' } }
  assert.match(legendOf(micro), /= control \(duration-lists\)[^]*Work:/)
  assert.doesNotMatch(legendOf(micro), /none/)
})

test('a long name of a runtime does not make tables wider than 80 columns', () => {
  const { summary } = smallRun()
  const runtime = `${summary.environment.node} --min-semi-space-size=16 --max-semi-space-size=64`
  const moved = (/** @type {any[]} */ list) => list.map(each => ({ ...each, runtime }))
  const growth = moved(summary.growth).map(growth => ({ ...growth, exponent: 0.55, low: -0.35, high: 0.75 }))
  const lines = renderTerminal({ ...summary, cells: moved(summary.cells), growth }).split('\n')
  const headings = lines.filter(line => line.includes(runtime))
  assert.deepEqual(headings.filter(line => line.startsWith('growth')), Array(2).fill(`growth with size, Node ${runtime}`))
  for (const line of headings) assert.ok(line.endsWith(runtime), line)
  for (const line of lines.filter(line => !line.includes(': ') && !headings.includes(line))) assert.ok(line.length <= 80, `${line.length}: ${line}`)
})

test('a ratio of heats takes the room of the interval, which the control keeps', () => {
  const text = renderTerminal(onlyOf(heatsRun().summary, 'refresh-one-duration'))
  assert.match(text, /^= duration-lists +8\.52 \(6\.63–12\.8\) 1\.00x \* +11 +113$/m)
  assert.match(text, /^ {2}binary-heap +15\.7 1\.73x \(1\.50–2\.01\) +7\.66 \* +69\.6$/m)
})

/**
 * @param {(ratio: any, cell: any, metric: string) => object} change
 * @param {object} [changed]  Figures of all metrics.
 */
function heatsWith (change, changed = {}) {
  const { summary } = heatsRun()
  const cells = summary.cells.map(cell => ({
    ...cell,
    metrics: Object.fromEntries(Object.entries(cell.metrics).map(([name, { ratio, ...figures }]) =>
      [name, { ...figures, ...changed, ...(ratio && { ratio: { ...ratio, ...change(ratio, cell, name) } }) }]))
  }))
  return { ...summary, cells }
}

test('the legend says over how many heats ratios are, and how far their intervals can be trusted', () => {
  assert.match(renderTerminal(heatsRun().summary), /^x is paired within 4 heats \(coverage 95 %, by Student's t\)\.$/m)
  assert.match(renderTerminal(heatsWith(() => ({ n: 12, coverage: 0.96 }))), /^x is paired within 12 heats \(coverage 96 %\)\.$/m)
  assert.doesNotMatch(renderTerminal(heatsRun().summary), /warning: .*heat/)
  assert.match(renderTerminal(heatsWith(() => ({ n: 2, coverage: 0.5 }))), /^warning: two heats in 9 of 13 cells: [^]* probability\s+of\s+50 %\s+only/m)
})

test('queues with fewer heats than others are named below their table', () => {
  const heatsOf = /** @type {Record<string, number>} */ ({ 'sorted-list': 6, 'binary-heap': 5 })
  const text = renderTerminal(heatsWith((_, { queue, scenario }) => ({ n: scenario === 'keep-alive' ? heatsOf[queue] ?? 9 : 9 })))
  assert.deepEqual(text.split('\n').filter(line => line.includes(' instead of ')), ['  5 heats instead of 9: binary-heap', '  6 heats instead of 9: sorted-list'])
})

test('queues that are missing for one reason are named together, and lack of time is no failure', () => {
  const { summary } = heatsRun()
  const isGone = (/** @type {{scenario: string, queue: string}} */ { scenario, queue }) => scenario === 'keep-alive' && queue !== 'node'
  const skipped = summary.cells.filter(isGone).map(({ metrics, ...cell }) => ({ ...cell, kind: cell.queue === 'sorted-list' ? 'crash' : 'out-of-time', reason: 'of something' }))
  const lines = renderTerminal({ ...summary, cells: summary.cells.filter(cell => !isGone(cell)), skipped }).split('\n')
  assert.deepEqual(lines.filter(line => line.endsWith('of something')), ['  duration-lists and binary-heap: skipped, of something', '  sorted-list: failed, of something'])
})

test('only columns and marks that are shown are explained', () => {
  const { summary } = heatsRun()
  const without = (/** @type {string} */ name) => renderTerminal({
    ...summary, cells: summary.cells.map(cell => ({ ...cell, metrics: Object.fromEntries(Object.entries(cell.metrics).filter(([metric]) => metric !== name)) }))
  })
  assert.match(without('bytesPerTimer'), /^Work: basic blocks executed\. Exact/m)
  assert.match(without('workPerOp'), /^Bytes: per pending timer\. Exact/m)
  assert.doesNotMatch(without('requestsPerSecond'), /are from windows/)
  assert.doesNotMatch(renderTerminal(heatsWith(() => ({}), { low: 1, median: 1, high: 1 })), /Absolute times move/)
  assert.match(renderTerminal(summary), /^Growth: e of cost ~ x\^e, its interval \(0 flat, 1 linear\)\.$/m)
})

test('where the figures of servers come from is explained once', () => {
  assert.equal(renderTerminal(heatsRun().summary).match(/CPU per request is from heats/g)?.length, 1)
  assert.doesNotMatch(renderTerminal(onlyOf(heatsRun().summary, 'refresh-one-duration')), /CPU per request is from heats/)
})

test('of built-in timers work is not countable, rather than cut off', () => {
  const { summary } = heatsRun()
  assert.match(renderTerminal(onlyOf(summary, 'keep-alive')), /^Work\/request: .* \(-: not countable\)\.$/m)
  assert.doesNotMatch(renderTerminal(summary), /took too long/)
  const cut = summary.cells.map((cell, i) => i > 0 ? cell : { ...cell, metrics: { nsPerOp: cell.metrics.nsPerOp } })
  assert.match(renderTerminal({ ...summary, cells: cut }), /^Work: .* \(-: took too long\)\.$/m)
})

test('two phases with small ratios and long names fit 80 columns', () => {
  const { summary } = heatsRun()
  const [tiny, small] = [{ low: 0.00661, median: 0.00732, high: 0.00814 }, { low: 0.0661, median: 0.0732, high: 0.0814 }]
  const cells = summary.cells.filter(({ scenario }) => scenario === 'refresh-one-duration').map(cell => {
    const figures = cell.metrics.nsPerOp
    const phase = (/** @type {object} */ ratio) => figures.ratio ? { ...figures, ratio: { ...figures.ratio, ...ratio } } : figures
    const queue = cell.queue === 'sorted-list' ? 'sorted-list-from-tail' : cell.queue
    return { ...cell, queue, metrics: { startNsPerTimer: phase(tiny), expireNsPerTimer: phase(small) } }
  })
  const text = renderTerminal({ ...summary, cells, growth: [] })
  assert.match(text, /\.0073x \(\.0066–\.0081\)/)
  assert.doesNotMatch(text, /Work:/)
  for (const line of text.split('\n').slice(1)) assert.ok(line.length <= 80, `${line.length}: ${line}`)
})

test('the legend of a run with heats names what ran one after the other', () => {
  const { summary } = heatsRun()
  const cells = summary.cells.map(cell => cell.scenario !== 'keep-alive'
    ? cell
    : {
        ...cell,
        metrics: Object.fromEntries(Object.entries(cell.metrics).map(([name, { ratio, ...figures }]) => [name, figures]))
      })
  assert.match(renderTerminal({ ...summary, cells }), /^x without an interval: one queue after the other, 4 processes a cell \(coverage 95 %\)\.$/m)
  assert.doesNotMatch(renderTerminal(summary), /one after the other|one queue after/)
})
