/** Chromium for tests of pages. */
import { test } from 'node:test'
import { chromium } from 'playwright-core'
import { CHROMIUM, needs } from '../needs.js'

/**
 * A test that opens a page in a browser.
 *
 * @param {string} name
 * @param {(t: import('node:test').TestContext) => Promise<void>} run
 */
export const testInBrowser = (name, run) => test(name, { skip: needs('chromium') }, run)

/** A real browser, started for the first page. It keeps what its pages complain of and fetch. */
export function createBrowser () {
  /** @type {Promise<import('playwright-core').Browser> | undefined} */
  let started

  return {
    close: async () => (await started)?.close(),

    /**
     * @param {string} file
     * @param {import('playwright-core').BrowserContextOptions} [options]
     */
    async open (file, options) {
      started ??= chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
      const page = await (await started).newPage(options)
      /** @type {string[]} */
      const complaints = []
      page.on('console', message => complaints.push(`${message.type()}: ${message.text()}`))
      page.on('pageerror', error => complaints.push(String(error)))
      page.on('request', request => {
        if (request.url() !== `file://${file}`) complaints.push(`fetched ${request.url()}`)
      })
      await page.goto(`file://${file}`)
      return { page, complaints }
    }
  }
}
