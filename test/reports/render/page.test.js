/** The page in a browser, and what it holds. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { gunzipSync } from 'node:zlib'
import { summarise } from '../../../harness/judge/summary.js'
import { readResults } from '../../../harness/store/results.js'
import { runDocument } from '../../../reports/documents/run.js'
import { unpackExample } from '../../../lab/example-data.js'
import { renderPage } from '../../../reports/render/page/page.js'
import { temporaryFolder } from '../../harness/temporary-folder.js'
import { testInBrowser } from '../browser.js'
import { heatsRun, withSamples } from '../fixture.js'
import { createPages } from '../page.js'
import { renamed } from '../renamed.js'

const { openRun } = createPages()

testInBrowser(
  'the page opens without complaint, sorts tables, picks queues and metrics, and shows samples',
  async () => {
    const { page, complaints, chart, table } = await openRun()
    const firstColumn = () => table.locator('tbody th:visible').allTextContents()
    assert.match((await page.locator('header').textContent()) ?? '', /Take duration-lists: the fastest everywhere\./)
    await table.locator('thead th').nth(1).getByRole('button').click()
    assert.deepEqual(await firstColumn(), ['= duration-lists', 'sorted-list', 'binary-heap'])
    await table.locator('thead th').nth(1).getByRole('button').click()
    assert.deepEqual(await firstColumn(), ['binary-heap', 'sorted-list', '= duration-lists'])

    await page.getByRole('checkbox', { name: 'sorted-list' }).uncheck()
    assert.deepEqual(await firstColumn(), ['binary-heap', '= duration-lists'])
    const names = () => chart.locator('.canvas text').allTextContents()
    assert.ok(!(await names()).includes('sorted-list'))
    await page.getByRole('button', { name: 'all', exact: true }).click()
    assert.ok((await names()).includes('sorted-list'))

    await chart.getByRole('radio', { name: 'work per operation' }).check()
    assert.match(
      (await chart.locator('.canvas').getAttribute('aria-label')) ?? '',
      /^refresh-one-duration: work per operation/
    )
    await page.mouse.move(0, 0)
    await table.locator('tbody tr', { hasText: 'binary-heap' }).locator('td button').last().click()
    const dialog = page.getByRole('dialog')
    assert.equal(
      await dialog.getByRole('heading').textContent(),
      'binary-heap on refresh-one-duration, size 1 000, Node v20.20.2'
    )
    assert.equal(await dialog.locator('tbody tr').count(), 6)
    await page.keyboard.press('Escape')
    assert.equal(await dialog.isVisible(), false)
    assert.deepEqual(complaints, [])
  }
)

testInBrowser('names, errors and paths run no script and break nothing', async () => {
  const attack = '</script><script>window.pwned = 1</script><img src=x onerror="window.pwned = 2">\'"&`'
  const { page, complaints } = await openRun(renamed(heatsRun().results, attack))
  await page.getByRole('button', { name: 'none' }).click()
  await page.getByRole('button', { name: 'all', exact: true }).click()
  await page.locator('.canvas').first().hover()
  await page.locator('td button').first().click()
  assert.deepEqual(complaints, [])
  assert.equal(await page.evaluate('window.pwned'), undefined)
  assert.equal(await page.locator('img').count(), 0)
  assert.ok((await page.locator('.picker').textContent())?.includes(attack))
})

test('the page holds all samples of a usual run, and the latest of each cell of a very long one', () => {
  const { results, summary } = heatsRun()
  const pageOf = (/** @type {number} */ copies) => {
    const samples = Array.from({ length: copies }, (_, copy) =>
      [...results.samples].map(sample => ({ ...sample, round: copy }))
    ).flat()
    const page = renderPage({ title: 'x', blocks: [], sections: [] }, withSamples(results, samples), summary)
    return { page, total: samples.length, rows: /** @type {any[][]} */ (dataIn(page).samples) }
  }
  const usual = pageOf(2)
  assert.equal(usual.rows.length, usual.total)
  assert.doesNotMatch(usual.page, /The page holds/)
  const long = pageOf(Math.ceil(60_000 / results.samples.length))
  assert.ok(long.rows.length <= 50_000 + summary.cells.length && long.rows.length > 40_000, String(long.rows.length))
  assert.match(
    long.page,
    new RegExp(`The page holds ${long.rows.length} of ${long.total} samples, the latest of each cell\\.`)
  )
  assert.ok(long.rows.some(({ line }) => line === long.total))
})

test('the page of the example is smaller than a megabyte', t => {
  const results = readResults(unpackExample(temporaryFolder(t)))
  const summary = summarise(results)
  assert.ok(renderPage(runDocument(results, summary), results, summary).length < 1e6)
})

/** @param {string} page */
function dataIn (page) {
  const [, data] = page.match(/id="report-data">(.*)<\/script>/) ?? []
  return JSON.parse(gunzipSync(Buffer.from(data, 'base64')).toString())
}
