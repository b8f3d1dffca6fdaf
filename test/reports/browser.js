import { chromium } from 'playwright-core'

/** Where Debian, Ubuntu and GitHub's runners have it. */
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'

/** A real browser. What its pages complain of and fetch is kept. */
export async function startBrowser () {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
  return {
    close: () => browser.close(),

    /**
     * @param {string} file
     * @param {import('playwright-core').BrowserContextOptions} [options]
     */
    async open (file, options) {
      const page = await browser.newPage(options)
      /** @type {string[]} */
      const complaints = []
      page.on('console', message => complaints.push(`${message.type()}: ${message.text()}`))
      page.on('pageerror', error => complaints.push(String(error)))
      page.on('request', request => { if (request.url() !== `file://${file}`) complaints.push(`fetched ${request.url()}`) })
      await page.goto(`file://${file}`)
      return { page, complaints }
    }
  }
}
