/** The page on screens of all kinds. */
import assert from 'node:assert/strict'
import { code, paragraph } from '../../../reports/blocks.js'
import { testInBrowser as test } from '../browser.js'
import { heatsRun, withSamples } from '../fixture.js'
import { createPages } from '../page.js'

const { openRun, openBlock } = createPages()

for (const [what, width] of /** @type {const} */ ([
  ['a desk', 1280],
  ['a small desk', 1200],
  ['a phone', 390]
])) {
  test(`the page opens on ${what} without complaint, and is not wider than the screen`, async () => {
    const { page, complaints } = await openRun(undefined, { viewport: { width, height: 800 } })
    assert.deepEqual(complaints, [])
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width)
    for (const drawing of await page.locator('.chart').all()) {
      assert.ok(Number((await drawing.boundingBox())?.width) <= width)
    }
  })
}

test('without scripts, text and tables are there, and where charts would be', async () => {
  const { page, complaints } = await openRun(undefined, { javaScriptEnabled: false })
  assert.deepEqual(complaints, [])
  assert.equal(await page.getByText('Charts need scripts').first().isVisible(), true)
  assert.equal(await page.locator('.picker').isVisible(), false)
  assert.ok(await page.getByText('Take duration-lists').first().isVisible())
})

test('background is folded until a link asks for it; a wide screen has the sections next to the text', async () => {
  const { page } = await openRun(undefined, { viewport: { width: 1600, height: 900 } })
  const command = page.locator('#how-to-reproduce-it pre')
  assert.equal(await command.isVisible(), false)
  await page.getByRole('navigation').getByRole('link', { name: 'How to reproduce it' }).click()
  assert.equal(await command.isVisible(), true)
  const box = async (/** @type {string} */ selector) => {
    const { x = 0, width = 0 } = (await page.locator(selector).first().boundingBox()) ?? {}
    return { x, right: x + width }
  }
  const [nav, title, picture, results] = [
    await box('nav'),
    await box('h1'),
    await box('header .chart'),
    await box('#results')
  ]
  assert.ok(nav.right <= title.x && title.right <= picture.x, 'side by side')
  assert.equal(results.x, title.x, 'below the answer')
  assert.ok(results.right > 1500, `content reaches ${results.right} of 1600`)
})

test('code keeps its lines, and no line breaks inside a number', async () => {
  const pre = await openBlock(code('10 <a>\n\t9 b\u0007'))
  assert.equal(await pre.locator('pre').textContent(), '10 <a>\n 9 b ')
  const page = await openBlock(paragraph('About 10 000 timers take 7.2 %, or 250 µs (1.04–1.12), of it. '.repeat(40)))
  await page.setViewportSize({ width: 320, height: 800 })
  const broken = await page.locator('#excerpt p').evaluate(element => {
    const text = /** @type {any} */ (element).firstChild
    const range = text.ownerDocument.createRange()
    return [...text.data.matchAll(/10.000|7\.2.%|250.µs|1\.04–.?1\.12/g)]
      .filter(({ 0: number, index }) => {
        range.setStart(text, index)
        range.setEnd(text, index + number.length)
        return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1
      })
      .map(([number]) => number)
  })
  assert.deepEqual(broken, [])
})

test('a point that a reader points at says its figure, and follows the colours of the page', async () => {
  const { page, chart } = await openRun()
  const shape = chart.locator('.canvas svg path[stroke="#ffffff"]').first()
  await shape.hover()
  await chart.locator('.canvas text', { hasText: /^[\w-]+ at \d+: [\d.]+ .*times duration-lists$/ }).waitFor()
  assert.ok(await chart.locator('.canvas svg > rect[fill="#ffffff"]').isVisible())
  await page.emulateMedia({ colorScheme: 'dark' })
  await chart.locator('.canvas svg > rect[fill="#0d1117"]').waitFor()
})

test('charts of several runtimes can be told apart in the choice', async () => {
  const { results } = heatsRun()
  const { plan } = results.run
  const later = (/** @type {string} */ cell) => `${cell} later`
  const { page } = await openRun({
    ...withSamples(
      results,
      [...results.samples].flatMap(sample => [sample, { ...sample, cell: later(sample.cell), runtime: 'v24.0.0' }])
    ),
    run: {
      ...results.run,
      plan: { ...plan, cells: plan.cells.flatMap(cell => [cell, { ...cell, id: later(cell.id), runtime: 'v24.0.0' }]) }
    }
  })
  const names = await page.locator('#refresh-one-duration .choices label').allTextContents()
  assert.deepEqual(
    names.map(name => name.trim()).filter(name => name.startsWith('work')),
    ['work per operation, Node v20.20.2', 'work per operation, Node v24.0.0']
  )
  assert.equal(new Set(names).size, names.length)
})
