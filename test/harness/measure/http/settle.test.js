/** What a user's program answered: said, or refused. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { settle } from '../../../../harness/measure/http/settle.js'

/** @param {Record<string, number>} statuses  Of a hundred requests. */
const settled = statuses =>
  settle(
    /** @type {any} */ ({ needs: {}, listening: { version: process.version } }),
    /** @type {any} */ ({ params: { connections: 1 }, program: {} }),
    {
      client: { requests: 100, seconds: 1, errors: {}, latencyMs: {}, operations: {} },
      window: { requests: 100, connectedPeak: 1, windowMs: 1000, collections: {}, timers: null, statuses }
    }
  )

for (const [statuses, texts] of /** @type {[Record<string, number>, string[]][]} */ ([
  [{}, []],
  [{ 302: 100 }, ['302 Found to 100.0 % of the requests (--path chooses another page)']],
  [{ 404: 1 }, ['404 Not Found to 1.0 % of the requests (--path chooses another page)']]
])) {
  test(`answers ${JSON.stringify(statuses)} are valid, and the codes other than 2xx named`, async () => {
    const { warnings } = await settled(statuses)
    assert.deepEqual(warnings, texts.map(text => ({ kind: 'other-answers', text })))
  })
}

for (const [statuses, message] of /** @type {[Record<string, number>, RegExp][]} */ ([
  [{ 302: 50, 404: 2 }, /^the program answered 302 Found to 50.0 % .* and 404 Not Found to 2.0 % .*: choose another with /],
  [{ 429: 60 }, /429 Too Many Requests to 60.0 % of the requests: lift the limit/],
  [{ 403: 60 }, /403 Forbidden .*, or send what it asks for by --load-command$/],
  [{ 502: 100 }, /502 Bad Gateway to 100.0 % of the requests: it fails there, perhaps with a line in its log/]
])) {
  test(`answers ${JSON.stringify(statuses)} cost the sample, with a remedy by their code`, () =>
    assert.rejects(settled(statuses), { kind: 'load', message }))
}
