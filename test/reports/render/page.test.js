import { after } from 'node:test'
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { summarise } from '../../../harness/judge/summary.js'
import { code, paragraph, picture, section } from '../../../reports/blocks.js'
import { runDocument } from '../../../reports/documents/run.js'
import { renderPage } from '../../../reports/render/page/page.js'
import { createBrowser, testInBrowser as test } from '../browser.js'
import { heatsRun, smallRun } from '../fixture.js'
import { renamed } from '../renamed.js'

const folder = mkdtempSync(path.join(os.tmpdir(), 'timerq-page-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const browser = createBrowser()
after(() => browser.close())

/** @param {import('../../../harness/store/results.js').Results} results */
function writePage (results) {
  const summary = summarise(results)
  const file = path.join(folder, 'report.html')
  writeFileSync(file, renderPage(runDocument(results, summary), results, summary))
  return file
}

/** @param {import('playwright-core').BrowserContextOptions} [options] */
async function openSmall (options) {
  const { page, complaints } = await browser.open(writePage(smallRun().results), options)
  return { page, complaints, chart: page.locator('#refresh-one-duration .chart'), table: page.locator('#refresh-one-duration table').first() }
}

/**
 * A page of one section.
 *
 * @param {import('../../../reports/blocks.js').Block} block
 */
async function openBlock (block) {
  const { results, summary } = smallRun()
  const file = path.join(folder, 'block.html')
  writeFileSync(file, renderPage({ title: 'x', blocks: [], sections: [section('Excerpt', [block])] }, results, summary))
  return (await browser.open(file)).page
}

/** @param {import('playwright-core').Locator} table */
const firstColumn = table => table.locator('tbody th:visible').allTextContents()

for (const [what, width] of /** @type {const} */ ([['a desk', 1280], ['a phone', 390]])) {
  test(`the page opens on ${what} without complaint, fetches nothing and is not wider than the screen`, async () => {
    const { page, complaints } = await openSmall({ viewport: { width, height: 800 } })
    assert.deepEqual(complaints, [])
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width)
    assert.equal(await page.locator('.chart svg').count(), 4)
    for (const drawing of await page.locator('.chart svg').all()) assert.ok(Number((await drawing.boundingBox())?.width) <= width)
  })
}

test('without scripts, text, tables and charts are there', async () => {
  const { page, complaints } = await openSmall({ javaScriptEnabled: false })
  assert.deepEqual(complaints, [])
  assert.equal(await page.locator('.chart svg').count(), 4)
  assert.equal(await page.locator('.picker').isVisible(), false)
  assert.ok(await page.getByText('If one queue must do for everything').first().isVisible())
})

test('the page opens with the answer and the picture that shows it; background is folded until somebody asks for it', async () => {
  const { page } = await openSmall()
  assert.match(await page.locator('header').textContent() ?? '', /If one queue must do for everything|Take /)
  assert.equal(await page.locator('header .chart svg').count(), 1)
  const command = page.locator('#how-to-reproduce-it pre')
  assert.equal(await command.isVisible(), false)
  await page.getByRole('navigation').getByRole('link', { name: 'How to reproduce it' }).click()
  assert.equal(await command.isVisible(), true)
})

test('a wide screen is used: sections beside the text, the picture beside the answer', async () => {
  const { page } = await openSmall({ viewport: { width: 1600, height: 900 } })
  const box = async (/** @type {string} */ selector) => {
    const { x = 0, y = 0, width = 0 } = await page.locator(selector).first().boundingBox() ?? {}
    return { x, y, right: x + width }
  }
  const [nav, title, picture, results] = [await box('nav'), await box('h1'), await box('header .chart'), await box('#results')]
  assert.ok(nav.right <= title.x && title.right <= picture.x, 'side by side')
  assert.ok(results.right > 1500, `content reaches ${results.right} of 1600`)
})

test('code keeps its lines', async () => {
  const page = await openBlock(code('10 <a>\n\t9 b\u0007'))
  assert.equal(await page.locator('pre').textContent(), '10 <a>\n 9 b ')
})

test('no line breaks inside a number', async () => {
  const page = await openBlock(paragraph('About 10 000 timers take 7.2 %, or 250 µs (1.04–1.12), of it. '.repeat(40)))
  await page.setViewportSize({ width: 320, height: 800 })
  const broken = await page.locator('#excerpt p').evaluate(element => {
    const text = /** @type {any} */ (element).firstChild
    const range = text.ownerDocument.createRange()
    return [...text.data.matchAll(/10.000|7\.2.%|250.µs|1\.04–.?1\.12/g)].filter(({ 0: number, index }) => {
      range.setStart(text, index)
      range.setEnd(text, index + number.length)
      return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1
    }).map(([number]) => number)
  })
  assert.deepEqual(broken, [])
})

test('a click on a title sorts the table, and a second click reverses it', async () => {
  const { page, table } = await openSmall()
  const title = table.locator('thead th').nth(1)
  await title.getByRole('button').click()
  assert.equal(await title.getAttribute('aria-sort'), 'ascending')
  const ascending = await firstColumn(table)
  assert.equal(ascending[0], 'unsorted-array')
  await page.keyboard.press('Enter')
  assert.equal(await title.getAttribute('aria-sort'), 'descending')
  assert.deepEqual(await firstColumn(table), ascending.reverse())
})

test('the growth of costs sorts by its exponent, not by its text', async () => {
  const { page } = await openSmall()
  const table = page.locator('#staggered-expiry table').first()
  const title = table.locator('thead th').last()
  assert.equal(await title.textContent(), 'growth')
  await title.getByRole('button').click()
  const exponents = (await table.locator('tbody tr td:last-child').allTextContents()).map(Number.parseFloat)
  assert.ok(exponents[0] < 0 && exponents[1] < 0)
  assert.deepEqual(exponents, [...exponents].sort((a, b) => a - b))
})

test('a queue that is not picked leaves charts and tables', async () => {
  const { page, chart, table } = await openSmall()
  assert.match(await chart.locator('svg').innerHTML(), /sorted-list/)
  await page.getByRole('checkbox', { name: 'sorted-list' }).uncheck()
  assert.doesNotMatch(await chart.locator('svg').innerHTML(), /sorted-list/)
  assert.ok(!(await firstColumn(table)).includes('sorted-list'))
  await page.getByRole('button', { name: 'none' }).click()
  assert.match(await chart.textContent() ?? '', /No queue of this chart is picked/)
  await page.getByRole('button', { name: 'all', exact: true }).click()
  assert.ok((await firstColumn(table)).includes('sorted-list'))
})

test('a point that the mouse is near shows its figures, and its samples on a click', async () => {
  const { page, chart } = await openSmall()
  await chart.locator('[data-at="0 1"]').hover()
  assert.match(await chart.locator('.tip').textContent() ?? '', /^sorted-list at 1000: \d+ \(\d+–\d+\) ns$/)
  await page.mouse.down()
  await page.mouse.up()
  const dialog = page.getByRole('dialog')
  assert.match(await dialog.getByRole('heading').textContent() ?? '', /^sorted-list on refresh-one-duration, size 1 000, Node v20/)
  // Three rounds by the clock, and one that counted.
  assert.equal(await dialog.locator('tbody tr').count(), 4)
  await page.keyboard.press('Escape')
  assert.equal(await dialog.isVisible(), false)
})

test('points in one place are described together', async () => {
  const { chart } = await openSmall()
  await chart.getByLabel('memory').check()
  await chart.locator('[data-at="2 2"]').hover()
  assert.deepEqual((await chart.locator('.tip').innerText()).split('\n').map(line => line.split(' ')[0]), ['sorted-list', 'unsorted-array', 'binary-heap'])
})

test('where heats compared the queues, the first chart shows ratios, tables sort by them, and samples show slices', async () => {
  const { page, complaints } = await browser.open(writePage(heatsRun().results))
  const chart = page.locator('#keep-alive .chart')
  await chart.locator('[data-at="1 0"]').hover()
  assert.match(await chart.locator('.tip').textContent() ?? '', /^duration-lists: 1\.10 \(0\.712–1\.69\) times node$/)
  const table = page.locator('#keep-alive table').first()
  assert.deepEqual(await firstColumn(table), ['= node', 'duration-lists', 'binary-heap', 'sorted-list'])
  await table.locator('thead th').nth(1).getByRole('button').click()
  assert.deepEqual(await firstColumn(table), ['= node', 'binary-heap', 'duration-lists', 'sorted-list'])
  await table.locator('thead th').nth(2).getByRole('button').click()
  assert.deepEqual(await firstColumn(table), ['= node', 'duration-lists', 'binary-heap', 'sorted-list'])
  await table.locator('tbody button').first().click()
  const rows = (await page.getByRole('dialog').locator('tbody tr').allInnerTexts()).map(row => row.split('\t'))
  assert.deepEqual(rows.map(([, , kind]) => kind), ['heat of 4', 'heat of 4', 'alone', 'heat of 4', 'heat of 4'])
  assert.match(rows[0][5], /^93\.56944 \(3 slices, 82\.8–127\)$/)
  assert.match(rows[2][5], /^[\d.]+$/)
  assert.deepEqual(complaints, [])
})

test('every figure of a table leads to its samples', async () => {
  const { page, table } = await openSmall()
  const button = table.locator('tbody button').first()
  const median = Number((await button.textContent() ?? '').split(' ')[0])
  await button.click()
  const rows = await page.getByRole('dialog').locator('tbody tr').allInnerTexts()
  const figures = rows.map(row => row.split('\t')).filter(([, , kind]) => kind === 'alone').map(cells => Number(cells[5])).sort((a, b) => a - b)
  assert.equal(figures[1].toFixed(2), median.toFixed(2))
})

test('the keyboard goes from point to point, says where it is, and opens samples', async () => {
  const { page, chart } = await openSmall()
  await chart.locator('.canvas').focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  assert.match(await chart.locator('.readout').textContent() ?? '', /^sorted-list at 1000: /)
  await page.keyboard.press('ArrowDown')
  assert.match(await chart.locator('.readout').textContent() ?? '', /^unsorted-array at 1000: /)
  await page.keyboard.press('Enter')
  assert.match(await page.getByRole('dialog').getByRole('heading').textContent() ?? '', /^unsorted-array on refresh-one-duration, size 1 000/)
})

test('what is too small to be drawn is still described to readers who cannot see the drawing', async () => {
  const bar = (/** @type {string} */ name, /** @type {number} */ from, /** @type {number} */ to) => ({ name, owner: /** @type {const} */ ('other'), depth: 0, from, to })
  const page = await openBlock(picture({
    kind: 'flame', id: 'flame', title: 'flame', subtitle: '', description: '', unit: '%', bars: [bar('work', 0, 50), bar('speck', 50, 50.01)]
  }))
  await page.locator('.canvas').focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  assert.equal(await page.locator('.point').count(), 1)
  assert.match(await page.locator('.readout').textContent() ?? '', /^speck: 0\.0\d+ %$/)
})

test('a chart gets the arrow keys from a screen reader, and tells it what it shows', async () => {
  const { page, chart } = await openSmall()
  const application = chart.getByRole('application', { name: /^refresh-one-duration: time per operation\. At size/ })
  assert.equal(await application.getAttribute('aria-roledescription'), 'chart')
  assert.match(await page.locator(`#${await application.getAttribute('aria-describedby')}`).textContent() ?? '', /^Arrow keys go from point to point/)
  await chart.getByLabel('work per operation').check()
  assert.equal(await chart.getByRole('application', { name: /^refresh-one-duration: work per operation\. At size/ }).count(), 1)
})

test('charts of several runtimes can be told apart where one is chosen', async () => {
  const { results } = smallRun()
  const later = (/** @type {string} */ cell) => `${cell} later`
  const { page } = await browser.open(writePage({
    ...results,
    run: { ...results.run, plan: { ...results.run.plan, cells: results.run.plan.cells.flatMap(cell => [cell, { ...cell, id: later(cell.id), runtime: 'v24.0.0' }]) } },
    samples: [...results.samples].flatMap(sample => [sample, { ...sample, cell: later(sample.cell), runtime: 'v24.0.0' }])
  }))
  const names = await page.locator('#refresh-one-duration .choices label').allTextContents()
  assert.deepEqual(names.map(name => name.trim()).filter(name => name.startsWith('time')), ['time per operation, Node v20.20.2', 'time per operation, Node v24.0.0'])
  assert.equal(new Set(names).size, names.length)
})

test('another metric can be chosen', async () => {
  const { chart } = await openSmall()
  await chart.getByLabel('work per operation').check()
  assert.match(await chart.locator('svg').getAttribute('aria-label') ?? '', /^refresh-one-duration: work per operation/)
})

test('a chart is zoomed by dragging, buttons and keys, and shown whole again', async () => {
  const { page, chart } = await openSmall()
  const points = chart.locator('.point')
  const placeOf = async () => await points.first().getAttribute('transform')
  const whole = await placeOf()
  await chart.scrollIntoViewIfNeeded()
  const box = /** @type {{x: number, y: number, width: number, height: number}} */ (await chart.locator('.canvas').boundingBox())
  await page.mouse.move(box.x + 100, box.y + 200)
  await page.mouse.down()
  await page.mouse.move(box.x + 300, box.y + 300)
  await page.mouse.up()
  const dragged = await placeOf()
  assert.notEqual(dragged, whole)
  assert.equal(await page.getByRole('dialog').isVisible(), false, 'a drag is no click on a point')
  await chart.getByRole('button', { name: 'Zoom out' }).click()
  assert.notEqual(await placeOf(), dragged)
  await chart.getByRole('button', { name: 'All' }).click()
  assert.equal(await placeOf(), whole)
  await chart.locator('.canvas').focus()
  await page.keyboard.press('+')
  assert.notEqual(await placeOf(), whole)
  await page.keyboard.press('0')
  assert.equal(await placeOf(), whole)
})

test('names, errors and paths run no script and break nothing', async () => {
  const attack = '</script><script>window.pwned = 1</script><img src=x onerror="window.pwned = 2">\'"&`'
  const results = renamed(smallRun().results, attack)
  const { page, complaints } = await browser.open(writePage(results))
  assert.deepEqual(complaints, [])
  await page.getByRole('button', { name: 'none' }).click()
  await page.getByRole('button', { name: 'all', exact: true }).click()
  await page.locator('.chart').first().locator('[data-at="0 1"]').hover()
  await page.locator('tbody button').first().click()
  assert.equal(await page.evaluate('window.pwned'), undefined)
  assert.deepEqual(complaints, [])
  assert.ok((await page.getByRole('dialog').getByRole('heading').textContent() ?? '').includes(attack))
})

test('should markup slip through, the policy of the page runs no script of it', async () => {
  const { page, complaints } = await openSmall()
  await page.evaluate('document.body.insertAdjacentHTML("beforeend", "<img src=\'data:,\' onerror=\'window.pwned = 1\'>")')
  await page.waitForFunction(() => true)
  assert.equal(await page.evaluate('window.pwned'), undefined)
  assert.match(complaints.join(), /Content Security Policy/)
})
