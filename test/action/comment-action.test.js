/** The comment that the action posts on a pull request, against a local stand-in for GitHub. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { defuse, MARKER } from '../../action/comment/post.js'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { readYaml, ROOT } from './dry-run.js'

const SHA = 'abcdef0123456789abcdef0123456789abcdef01'
const event = {
  workflow_run: {
    event: 'pull_request',
    head_sha: SHA,
    head_repository: { id: 5 },
    html_url: 'https://github.test/me/queue/actions/runs/1'
  }
}
const pull = { state: 'open', head: { sha: SHA, repo: { id: 5 } } }
const strangers = (/** @type {number} */ count) =>
  Array.from({ length: count }, (_, id) => ({ id, user: { login: 'someone' }, body: `${MARKER}\nnot ours` }))
const ours = { id: 4711, user: { login: 'github-actions[bot]' }, body: `${MARKER}\nbefore` }

/**
 * Runs the poster as the action does, against an API of our own.
 *
 * @param {import('node:test').TestContext} t
 * @param {object} options
 * @param {Record<string, string>} [options.saved]  Files of the artifact.
 * @param {any} [options.event]
 * @param {any} [options.pull]
 * @param {any[]} [options.comments]
 * @param {number} [options.status]  Of every answer to a change.
 * @param {(folder: string) => void} [options.prepare]
 */
async function run (
  t,
  {
    saved = { 'comment.md': '## ✅ timerq: pass\n', 'pull-request': '17\n' },
    event: given = event,
    pull: answer = pull,
    comments = [],
    status = 200,
    prepare = () => {}
  }
) {
  const folder = temporaryFolder(t)
  mkdirSync(path.join(folder, 'saved'))
  for (const [name, text] of Object.entries(saved)) writeFileSync(path.join(folder, 'saved', name), text)
  prepare(path.join(folder, 'saved'))
  writeFileSync(path.join(folder, 'event.json'), JSON.stringify(given))
  /** @type {{method: string, url: string, body: any}[]} */
  const calls = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { method = '', url = '' } = request
    calls.push({ method, url, body: body && JSON.parse(body) })
    assert.equal(request.headers.authorization, 'Bearer token')
    const page = Number(new URLSearchParams(url.split('?')[1]).get('page'))
    response.statusCode = method === 'GET' ? 200 : status
    response.end(
      JSON.stringify(
        /\/pulls\/\d+$/.test(url) ? answer : method === 'GET' ? comments.slice(100 * (page - 1), 100 * page) : {}
      )
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  const poster = spawn(process.execPath, [path.join(ROOT, 'action/comment/post.js'), path.join(folder, 'saved')], {
    env: {
      GITHUB_API_URL: `http://127.0.0.1:${port}`,
      GITHUB_TOKEN: 'token',
      GITHUB_REPOSITORY: 'me/queue',
      GITHUB_EVENT_PATH: path.join(folder, 'event.json')
    }
  })
  let output = ''
  for (const stream of [poster.stdout, poster.stderr]) {
    stream.setEncoding('utf8').on('data', text => {
      output += text
    })
  }
  const [code] = await once(poster, 'close')
  server.close()
  return { code, output, calls, changes: calls.filter(({ method }) => method !== 'GET') }
}

test('a comment is posted on the pull request that was measured', async t => {
  const { code, output, changes } = await run(t, { comments: strangers(3) })
  assert.deepEqual([code, output], [0, 'timerq: posted on pull request 17\n'])
  assert.deepEqual(changes, [
    {
      method: 'POST',
      url: '/repos/me/queue/issues/17/comments',
      body: {
        body: `${MARKER}\n## ✅ timerq: pass\n\nMeasured at abcdef0123: [details](https://github.test/me/queue/actions/runs/1)\n`
      }
    }
  ])
})

test('its own earlier comment is edited, however many comments there are, and a forged one is left alone', async t => {
  const { code, changes } = await run(t, { comments: [...strangers(205), ours] })
  assert.equal(code, 0)
  assert.deepEqual(
    changes.map(({ method, url }) => [method, url]),
    [['PATCH', '/repos/me/queue/issues/comments/4711']]
  )
})

for (const { what, options, words } of [
  ...Object.entries({
    'a pull request whose head has moved on': { sha: 'f'.repeat(40) },
    "another author's pull request with the same commit": { repo: { id: 6 } },
    'a pull request whose fork is gone': { repo: null }
  }).map(([what, head]) => ({
    what,
    options: { pull: { ...pull, head: { ...pull.head, ...head } } },
    words: /its head is not the commit that was measured/
  })),
  { what: 'a closed pull request', options: { pull: { ...pull, state: 'closed' } }, words: /is not open/ },
  ...Object.entries({ path: '17/../../issues/1', command: '17\n$(id)' }).map(([what, number]) => ({
    what: `a number that is a ${what}`,
    options: { saved: { 'comment.md': 'x', 'pull-request': number } },
    words: /saved pull-request is not the number of one/
  })),
  { what: 'no comment', options: { saved: { 'pull-request': '17' } }, words: /saved no comment/ },
  {
    what: 'a link in place of the comment',
    options: {
      saved: { 'pull-request': '17' },
      prepare: (/** @type {string} */ folder) => symlinkSync('/etc/hostname', path.join(folder, 'comment.md'))
    },
    words: /saved no comment/
  },
  {
    what: 'a push',
    options: { event: { workflow_run: { ...event.workflow_run, event: 'push' } } },
    words: /did not run for a pull request/
  }
]) {
  test(`nothing is posted for ${what}`, async t => {
    const { code, output, changes } = await run(t, options)
    assert.deepEqual([code, changes], [0, []])
    assert.match(output, /^timerq: not posted: /)
    assert.match(output, words)
  })
}

test('a token that may not write is reported with its remedy', async t => {
  const { code, output } = await run(t, { status: 403 })
  assert.equal(code, 1)
  assert.match(
    output,
    /^timerq: the comment was not posted: POST .* answered 403 \(does the workflow have permissions: pull-requests: write\?\)/
  )
})

test('a text of any size is cut to what GitHub takes', async t => {
  const { code, changes } = await run(t, { saved: { 'comment.md': '<€'.repeat(2_500_000), 'pull-request': '17' } })
  assert.equal(code, 0)
  const { body } = changes[0].body
  assert.ok(body.length < 65_536 && body.endsWith('/actions/runs/1)\n'))
})

test("a stranger's text can neither link, mention, refer nor bring HTML", () => {
  for (const [text, harmless] of [
    ['@everyone and a@example.org', '@\u200beveryone and a@\u200bexample.org'],
    ['&#64;everyone', '&amp;#\u200b64;everyone'],
    ['see #12', 'see #\u200b12'],
    [
      '[click](https://evil.test) ![](http://evil.test)',
      '[click]\u200b(https:\u200b//evil.test) ![]\u200b(http:\u200b//evil.test)'
    ],
    ['[a][b]\n[b]: /evil', '[a]\u200b[b]\n[b]\u200b: /evil'],
    ['WWW.evil.test', 'WWW\u200b.evil.test'],
    [
      '<img src=x><!-- <details open> --><details><summary>x</summary></details>',
      '&lt;img src=x>&lt;!-- &lt;details open> --><details><summary>x</summary></details>'
    ],
    ['a\u202eb\u0000c\r\n', 'a b c']
  ]) {
    assert.equal(defuse(text), harmless)
  }
})

test('what a gate writes is left as it is', () => {
  const text =
    '## ❌ timerq: regression\n\n1 of 2 rows: npm:@&#8203;scope/heap: 12 % ' +
      'slower.\n\n<details><summary>Details</summary>\n\n| a \\| b | 1.2 |\n|:--|--:|\n| = c &amp; d | **x** ' +
      '|\n\n</details>'
  assert.equal(defuse(text), text)
})

test('the action fetches what the gate has saved, and gives strangers no expression to fill', () => {
  const [fetch, post] = readYaml('action/comment/action.yml').runs.steps
  const save = readYaml('action.yml').runs.steps.find((/** @type {any} */ { uses }) =>
    uses?.startsWith('actions/upload-artifact@')
  )
  assert.equal(fetch.with.name, save.with.name)
  assert.match(fetch.uses, /^actions\/download-artifact@[0-9a-f]{40}$/)
  assert.equal(post.run, 'node "$GITHUB_ACTION_PATH/post.js" "$RUNNER_TEMP/timerq-comment"')
})
