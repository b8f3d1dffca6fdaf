import { test } from 'node:test'
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { stateOf, untilChanged } from '../../../harness/run/watch.js'
import { temporaryFolder } from '../temporary-folder.js'

test('a save while the queue is measured is not missed', async t => {
  const file = path.join(temporaryFolder(t), 'mine.js')
  const urls = [pathToFileURL(file).href]
  writeFileSync(file, 'class Mine {}')
  const before = stateOf(urls)
  writeFileSync(file, 'class Mine { /* saved */ }')
  await untilChanged(urls, before, t.signal)
})

test('a file that stays as it is ends no wait', async t => {
  const file = path.join(temporaryFolder(t), 'mine.js')
  const urls = [pathToFileURL(file).href]
  writeFileSync(file, 'class Mine {}')
  const controller = new AbortController()
  const wait = untilChanged(urls, stateOf(urls), controller.signal)
  controller.abort()
  await assert.rejects(wait, { name: 'AbortError' })
})
