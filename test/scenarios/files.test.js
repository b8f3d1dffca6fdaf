/** Servers of files: their answers, and what a check of their files finds. */
import { after, test } from 'node:test'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import fs from 'node:fs'
import { createServer } from 'node:http'
import path from 'node:path'
import { scenario as files } from '../../scenarios/files-async.js'
import { scenario as cluster } from '../../scenarios/files-cluster.js'
import { temporaryFolder } from '../harness/temporary-folder.js'

/** @import { TestContext } from 'node:test' */

const params = { workers: 1, connections: 1, seconds: 1, files: 3, records: 4, readsPerWrite: 2, split: 1 }

for (const scenario of [files, cluster]) {
  /**
   * @param {TestContext} t
   * @param {Record<string, string>} content
   * @param {number} split
   */
  async function serve (t, content, split) {
    const directory = temporaryFolder(t)
    for (const [name, text] of Object.entries(content)) fs.writeFileSync(path.join(directory, name), text)
    const server = scenario.createServer(createServer, { ...params, split }, { fs, directory }).listen(0, '127.0.0.1')
    after(() => server.close())
    await once(server, 'listening')
    return { directory, url: `http://127.0.0.1:${server.address().port}` }
  }

  for (const [split, answer] of /** @type {const} */ ([
    [0, '\n\n\nabcd'],
    [1, '\na\nb\ncd'],
    [2, 'b\ncd\na\n']
  ])) {
    test(`${scenario.name} answers the records of a file in order, split by ${split} characters`, async t => {
      const { url } = await serve(t, { 7: 'b\ncd\na\n' }, split)
      assert.equal(await (await fetch(`${url}/7`)).text(), answer)
    })
  }

  test(`${scenario.name} appends what is posted`, async t => {
    const { url, directory } = await serve(t, { 7: 'b\n' }, 1)
    const { status } = await fetch(`${url}/7`, { method: 'POST', body: 'a\n' })
    assert.equal(status, 200)
    assert.equal(fs.readFileSync(path.join(directory, '7'), 'utf8'), 'b\na\n')
    assert.equal(await (await fetch(`${url}/7`)).text(), '\na\nb')
  })

  test(`${scenario.name} reads nothing outside its folder`, async t => {
    const { url } = await serve(t, {}, 1)
    assert.equal((await fetch(`${url}/..%2f..%2fetc%2fpasswd`)).status, 500)
  })
}

test('each write comes with its reads, and both cycle through all files', () => {
  const cycle = files.requests?.(params) ?? []
  assert.deepEqual(
    cycle.map(({ method, path }) => `${method} ${path}`),
    ['GET /0', 'GET /1', 'POST /0', 'GET /2', 'GET /0', 'POST /1', 'GET /1', 'GET /2', 'POST /2']
  )
})

/**
 * @param {Record<string, string>} content
 * @param {{least: number, most: number}} posts
 */
const faultOf = (content, { least, most }) =>
  files.findFault?.({ read: name => content[name], answered: { POST: least }, received: { POST: most } }, params)

const start = files.files?.(params) ?? {}
const bodies = (files.requests?.(params) ?? []).flatMap(({ body }) => body ?? [])

test('records have the same length, and are unordered within a file', () => {
  for (const body of bodies) assert.equal(body.length, 64)
  const records = start[0].split('\n').slice(0, -1)
  assert.equal(records.length, 4)
  assert.notDeepEqual(records, [...records].sort())
  assert.equal(new Set([...records, ...bodies]).size, 4 + 3)
})

test('an append that was answered must be there, complete; one that was not may be', () => {
  const one = { ...start, 1: start[1] + bodies[1] }
  assert.equal(faultOf(start, { least: 0, most: 0 }), null)
  assert.equal(faultOf(one, { least: 1, most: 1 }), null)
  assert.equal(faultOf(one, { least: 0, most: 1 }), null)
  assert.equal(faultOf(start, { least: 0, most: 1 }), null)
  assert.equal(faultOf(start, { least: 1, most: 1 }), '1 of 1 appends that were answered are lost')
  assert.equal(faultOf(one, { least: 0, most: 0 }), '1 records were appended by 0 requests')
})

for (const [what, text] of /** @type {const} */ ([
  ["another file's record", start[1] + bodies[2]],
  ['half a record', start[1] + bodies[1].slice(0, 30)],
  ['a record that was overwritten', bodies[1] + start[1].slice(64)],
  ['nothing', '']
])) {
  test(`a file that holds ${what} is a fault`, () => {
    assert.equal(faultOf({ ...start, 1: text }, { least: 0, most: 9 }), 'file 1 holds records that were never sent')
  })
}
