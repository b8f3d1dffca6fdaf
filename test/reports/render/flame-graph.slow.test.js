/** Flame graphs in a browser. */
import { after } from 'node:test'
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { renderDifferentialFlameGraph, renderFlameGraph } from '../../../reports/render/flame-graph/page.js'
import { createBrowser, testInBrowser as test } from '../browser.js'

const folder = mkdtempSync(path.join(os.tmpdir(), 'timerq-flame-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const browser = createBrowser()
after(() => browser.close())

/**
 * @param {string} name
 * @param {number} share
 * @param {any} [more]
 * @returns {any}
 */
const node = (name, share, more = {}) => ({
  name,
  url: 'file:///a/queue.js',
  line: 3,
  owner: 'other',
  share,
  callees: [],
  ...more
})

const tree = node('(root)', 0.9, {
  url: '',
  owner: 'native',
  callees: [
    node('serve', 0.7, {
      callees: [node('insert', 0.344, { owner: 'queue' }), node('start', 0.2, { owner: 'service' })]
    }),
    node('write', 0.2, { url: '', owner: 'native' })
  ]
})

/** @param {string} html */
async function open (html) {
  const file = path.join(folder, 'flame.html')
  writeFileSync(file, html)
  const { page, complaints } = await browser.open(file, { viewport: { width: 1200, height: 700 } })
  const frame = (/** @type {string} */ name) => page.locator('.frame').filter({ hasText: name })
  const fill = (/** @type {string} */ name) => frame(name).locator('rect').getAttribute('fill')
  return { page, complaints, frame, fill, details: page.locator('#details') }
}

test('a flame graph opens without complaint, fetches nothing, and marks the queue in colour', async () => {
  const { page, complaints, fill } = await open(renderFlameGraph(tree, { title: 'CPU of mine', about: 'once' }))
  assert.deepEqual(complaints, [])
  assert.equal(await page.locator('.frame').count(), 5)
  assert.equal(await fill('insert queue.js:3'), '#e4572e')
  assert.equal(await fill('start queue.js:3'), '#f3a712')
  assert.equal(await fill('serve queue.js:3'), '#a9bcd0')
})

test('a function under the mouse shows its share, a click zooms in until it is reset, and a search ' +
  'marks functions', async () => {
  const { page, frame, fill, details } = await open(renderFlameGraph(tree, { title: 'CPU of mine', about: '' }))
  const narrow = (await frame('insert').boundingBox())?.width ?? 0
  /** Waits until the function is some times as wide as at first, or more, or less. */
  const untilWidth = (/** @type {number} */ least, /** @type {number} */ most) =>
    page.waitForFunction(
      ([least, most]) =>
        [...document.querySelectorAll('.frame')].some(frame => {
          const { width } = frame.getBoundingClientRect()
          return frame.textContent?.includes('insert') && width > least && width < most
        }),
      [least * narrow, most * narrow]
    )
  await frame('insert').hover()
  assert.match(
    (await details.textContent()) ?? '',
    /^insert queue.js:3: 34\.40 % of busy CPU, with what it calls \(the queue\)/
  )
  await frame('insert').click()
  await untilWidth(2, 1000)
  await page.getByRole('button', { name: 'Reset zoom' }).click()
  await untilWidth(0, 1.1)
  await page.getByRole('searchbox').fill('insert')
  await page.waitForFunction(() => document.querySelector('rect[fill="#b5179e"]'))
  assert.equal(await fill('insert queue.js:3'), '#b5179e')
  assert.match((await details.textContent()) ?? '', /38\.222%/)
})

test('a difference is red where there is more and blue where there is less, also for what is gone', async () => {
  const difference = node('(root)', 0.9, {
    base: 0.9,
    callees: [node('grown', 0.5, { base: 0.3 }), node('level', 0.2, { base: 0.2 }), node('gone', 0, { base: 0.3 })]
  })
  const { complaints, fill, frame, details } = await open(
    renderDifferentialFlameGraph(difference, { title: 'difference', about: '' })
  )
  assert.deepEqual(complaints, [])
  assert.equal(await fill('grown'), 'rgb(235,110,110)')
  assert.equal(await fill('level'), 'rgb(235,235,235)')
  assert.equal(await fill('gone'), 'rgb(110,110,235)')
  await frame('gone').hover()
  assert.match((await details.textContent()) ?? '', /30\.00 % of busy CPU before, 0\.00 % now \(-30\.00 points\)/)
})

test('hostile function names and titles are shown as they are and run nothing', async () => {
  const hostile = '</script><script>window.hacked = 1</script><img src=x onerror="window.hacked = 1">'
  const { page, complaints, frame } = await open(
    renderFlameGraph(node('(root)', 1, { callees: [node(hostile, 0.8, { url: `file:///${hostile}` })] }), {
      title: hostile,
      about: hostile
    })
  )
  assert.deepEqual(complaints, [])
  await frame('hacked').hover()
  await page.getByRole('searchbox').fill('hacked')
  assert.equal(await page.evaluate('window.hacked'), undefined)
  assert.ok((await frame('hacked').textContent())?.startsWith(hostile))
  assert.equal(await page.locator('h1').textContent(), hostile)
  assert.equal(await page.locator('img').count(), 0)
})
