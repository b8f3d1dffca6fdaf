/** NODE_OPTIONS of the user, in a run with every instrument. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { cpSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { timerqHere } from './timerq.js'

const WORKLOADS = fileURLToPath(new URL('../fixtures/workloads', import.meta.url))

test('options of Node reach every process that loads a file, so that a loader can make it JavaScript', async t => {
  const folder = temporaryFolder(t)
  writeFileSync(
    path.join(folder, 'loader.mjs'),
    `import { register } from 'node:module'
register('data:text/javascript,' + encodeURIComponent(\`
  export async function load (url, context, next) {
    if (!url.endsWith('.foreign')) return next(url, context)
    const { readFileSync } = await import('node:fs')
    return { format: 'module', shortCircuit: true, source: readFileSync(new URL(url), 'utf8') }
  }\`))
`
  )
  cpSync(path.join(WORKLOADS, 'add.js'), path.join(folder, 'add.js'))
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }')
  cpSync(path.join(WORKLOADS, 'sum.js'), path.join(folder, 'sum.foreign'))
  const heap = fileURLToPath(new URL('../../queues/binary-heap.js', import.meta.url))
  writeFileSync(path.join(folder, 'heap.foreign'), `export * from ${JSON.stringify(pathToFileURL(heap).href)}\n`)
  const env = { ...process.env, NODE_OPTIONS: `--import ${pathToFileURL(path.join(folder, 'loader.mjs')).href}` }
  const { code, stderr, json } = await timerqHere(
    'run --scenario ./sum.foreign,start-cancel --queue ./heap.foreign --size 100 --preset ci --rounds 1 --json',
    { cwd: folder, env }
  )
  assert.deepEqual([code, json.skipped], [0, []], stderr)
})
