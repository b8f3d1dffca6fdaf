/** Opens pages of runs in a browser. */
import { after } from 'node:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { summarise } from '../../harness/judge/summary.js'
import { section } from '../../reports/blocks.js'
import { runDocument } from '../../reports/documents/run.js'
import { renderPage } from '../../reports/render/page/page.js'
import { createBrowser } from './browser.js'
import { heatsRun } from './fixture.js'

/**
 * @import { BrowserContextOptions } from 'playwright-core'
 * @import { Results } from '../../harness/store/results.js'
 * @import { Block } from '../../reports/blocks.js'
 */

/** Pages of a run in a browser, which ends with the tests of the file. */
export function createPages () {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'timerq-page-'))
  const browser = createBrowser()
  after(() => browser.close())
  after(() => rmSync(folder, { recursive: true, force: true }))

  /**
   * @param {string} html
   * @param {BrowserContextOptions} [options]
   */
  async function open (html, options) {
    const file = path.join(folder, 'report.html')
    writeFileSync(file, html)
    const { page, complaints } = await browser.open(file, options)
    return {
      page,
      complaints,
      chart: page.locator('#refresh-one-duration .chart'),
      table: page.locator('#refresh-one-duration table').first()
    }
  }

  return {
    /**
     * @param {Results} [results]
     * @param {BrowserContextOptions} [options]
     */
    openRun (results = heatsRun().results, options) {
      const summary = summarise(results)
      return open(renderPage(runDocument(results, summary), summary), options)
    },
    /** @param {Block} block  The only content of the page. */
    async openBlock (block) {
      const { summary } = heatsRun()
      return (
        await open(renderPage({ title: 'x', blocks: [], sections: [section('Excerpt', [block])] }, summary))
      ).page
    }
  }
}
