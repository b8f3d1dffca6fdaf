/** The page in a browser, and what it holds. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { summarise } from '../../../harness/judge/summary.js'
import { readResults } from '../../../harness/store/results.js'
import { runDocument } from '../../../reports/documents/run.js'
import { unpackExample } from '../../../lab/example-data.js'
import { renderPage } from '../../../reports/render/page/page.js'
import { temporaryFolder } from '../../harness/temporary-folder.js'
import { testInBrowser } from '../browser.js'
import { heatsRun } from '../fixture.js'
import { createPages } from '../page.js'
import { renamed } from '../renamed.js'

const { openRun } = createPages()

testInBrowser(
  'the page opens without complaint, sorts tables, and picks queues and metrics',
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
    assert.deepEqual(complaints, [])
  }
)

testInBrowser('names, errors and paths run no script and break nothing', async () => {
  const attack = '</script><script>window.pwned = 1</script><img src=x onerror="window.pwned = 2">\'"&`'
  const { page, complaints } = await openRun(renamed(heatsRun().results, attack))
  await page.getByRole('button', { name: 'none' }).click()
  await page.getByRole('button', { name: 'all', exact: true }).click()
  await page.locator('.canvas').first().hover()
  assert.deepEqual(complaints, [])
  assert.equal(await page.evaluate('window.pwned'), undefined)
  assert.equal(await page.locator('img').count(), 0)
  assert.ok((await page.locator('.picker').textContent())?.includes(attack))
})

test('the page of the example is smaller than a megabyte', t => {
  const results = readResults(unpackExample(temporaryFolder(t)))
  const summary = summarise(results)
  assert.ok(renderPage(runDocument(results, summary), summary).length < 1e6)
})
