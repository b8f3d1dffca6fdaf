/** The comment that the action posts on a pull request. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { defuse, MARKER, post } from '../../action/comment/post.js'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { readYaml, ROOT } from './dry-run.js'

const SHA = 'abcdef0123456789abcdef0123456789abcdef01'
const run = { event: 'pull_request', head_sha: SHA, head_repository: { id: 5 }, html_url: 'https://github.test/1' }
const pull = { state: 'open', head: { sha: SHA, repo: { id: 5 } } }
const SAVED = { 'comment.md': '## ✅ timerq: pass\n', 'pull-request': '17\n' }
const BODY = `${MARKER}\n## ✅ timerq: pass\n\nMeasured at abcdef0123: [details](https://github.test/1)\n`

/** @type {(t: import('node:test').TestContext, files: Record<string, string>) => string} */
function folderWith (t, files) {
  const folder = temporaryFolder(t)
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text)
  return folder
}

/**
 * Posts to a stand-in for GitHub.
 *
 * @param {import('node:test').TestContext} t
 * @param {{saved?: Record<string, string>, event?: string, answer?: object, comments?: any[], link?: string}} options
 */
async function posted (t, { saved = SAVED, event = 'pull_request', answer = pull, comments = [], link }) {
  const folder = folderWith(t, saved)
  if (link) symlinkSync('/etc/hostname', path.join(folder, link))
  /** @type {any[]} */
  const changes = []
  const words = await post({
    folder,
    event: { workflow_run: { ...run, event } },
    repository: 'me/queue',
    request: async (method, url, body) => {
      if (method !== 'GET') return changes.push([method, url, body])
      const page = Number(/&page=(\d+)/.exec(url)?.[1])
      return page > 0 ? comments.slice(100 * (page - 1), 100 * page) : answer
    }
  })
  return { words, changes }
}

test('its own earlier comment is edited, however many comments there are, and a forged one is left alone', async t => {
  const forged = Array.from({ length: 205 }, (_, id) => ({ id, user: { login: 'someone' }, body: `${MARKER}\nnot ours` }))
  const ours = { id: 4711, user: { login: 'github-actions[bot]' }, body: `${MARKER}\nbefore` }
  const { changes } = await posted(t, { comments: [...forged, ours] })
  assert.deepEqual(changes, [['PATCH', '/repos/me/queue/issues/comments/4711', { body: BODY }]])
  const [[method]] = (await posted(t, { comments: forged })).changes
  assert.equal(method, 'POST')
})

for (const [what, options, reason] of /** @type {[string, Parameters<typeof posted>[1], RegExp][]} */ ([
  ['another commit', { answer: { ...pull, head: { ...pull.head, sha: 'f'.repeat(40) } } }, /its head is not the commit/],
  ['another repository', { answer: { ...pull, head: { ...pull.head, repo: { id: 6 } } } }, /its head is not the commit/],
  ['a closed pull request', { answer: { ...pull, state: 'closed' } }, /is not open/],
  ['a number that is a path', { saved: { ...SAVED, 'pull-request': '17/../../issues/1' } }, /not the number of one/],
  ['a link as comment', { saved: { 'pull-request': '17' }, link: 'comment.md' }, /saved no comment/],
  ['a push', { event: 'push' }, /did not run for a pull request/]
])) {
  test(`nothing is posted for ${what}`, async t => {
    const { words, changes } = await posted(t, options)
    assert.deepEqual(changes, [])
    assert.match(words, reason)
  })
}

test('the action posts what the gate has saved; a token that may not write is reported with its remedy', async t => {
  const [fetch, { run: script }] = readYaml('action/comment/action.yml').runs.steps
  const save = readYaml('action.yml').runs.steps.find(
    (/** @type {any} */ { uses }) => uses?.startsWith('actions/upload-artifact@')
  )
  assert.equal(fetch.with.name, save.with.name)
  assert.equal(script, 'node "$GITHUB_ACTION_PATH/post.js" "$RUNNER_TEMP/timerq-comment"')
  const server = createServer((request, response) => {
    response.statusCode = request.method === 'POST' || request.headers.authorization !== 'Bearer token' ? 403 : 200
    response.end(JSON.stringify(request.url?.includes('comments') ? [] : pull))
  }).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  const folder = folderWith(t, { ...SAVED, 'event.json': JSON.stringify({ workflow_run: run }) })
  const poster = spawn(process.execPath, [path.join(ROOT, 'action/comment/post.js'), folder], {
    env: {
      GITHUB_API_URL: `http://127.0.0.1:${port}`,
      GITHUB_TOKEN: 'token',
      GITHUB_REPOSITORY: 'me/queue',
      GITHUB_EVENT_PATH: path.join(folder, 'event.json')
    }
  })
  let output = ''
  poster.stderr.setEncoding('utf8').on('data', text => (output += text))
  const [code] = await once(poster, 'close')
  assert.equal(code, 1)
  assert.match(output, /^timerq: the comment was not posted: POST .* answered 403 \(does .* pull-requests: write\?\)/)
})

test("a stranger's text can neither link, mention, refer nor bring HTML", () => {
  for (const [text, harmless] of [
    ['@everyone and a@example.org', '@\u200beveryone and a@\u200bexample.org'],
    ['&#64;everyone', '&amp;#\u200b64;everyone'],
    ['see #12', 'see #\u200b12'],
    ['[click](https://evil.test)', '[click]\u200b(https:\u200b//evil.test)'],
    ['[a][b]\n[b]: /evil', '[a]\u200b[b]\n[b]\u200b: /evil'],
    ['WWW.evil.test', 'WWW\u200b.evil.test'],
    ['<img src=x><!-- <details open> --><details>', '&lt;img src=x>&lt;!-- &lt;details open> --><details>'],
    ['a\u202eb\u0000c\r\n', 'a b c']
  ]) {
    assert.equal(defuse(text), harmless)
  }
  assert.ok(defuse('<€'.repeat(2_500_000)).length <= 60_000)
})

test('what a gate writes is left as it is', () => {
  const text =
    '1 of 2 rows: npm:@&#8203;scope/heap: 12 % slower.\n\n<details><summary>Details</summary>\n\n| a \\| b | 1.2 |\n' +
    '|:--|--:|\n| = c &amp; d | **x** |\n\n</details>'
  assert.equal(defuse(text), text)
})
