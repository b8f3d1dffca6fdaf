/** `timerq list` on terminals of several widths. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { main } from '../../bin/main.js'
import { queues } from '../../queues/index.js'
import { listDocument } from '../../reports/documents/list.js'
import { scenarios } from '../../scenarios/index.js'
import { capture, timerqHere } from './timerq.js'

/** @param {number} [columns]  Width of the terminal. */
async function list (columns) {
  const { stream, text } = capture({ columns })
  assert.equal(await main(['list', '--no-color'], { stdout: stream, stderr: stream }), 0)
  return text()
}

for (const columns of [undefined, 60, 120]) {
  const place = columns === undefined ? '80 columns by default' : `a terminal of ${Math.max(80, columns)} columns`
  test(`the list fits ${place}, and names every queue and scenario`, async () => {
    const text = await list(columns)
    assert.deepEqual(
      text.split('\n').filter(line => line.length > Math.max(80, columns ?? 80)),
      []
    )
    for (const { name } of [...queues, ...scenarios]) assert.match(text, new RegExp(`^ +${name}( |$)`, 'm'))
    assert.match(text, /bounded-wheel .*\b12\.5 % late/)
  })
}

test('a wide terminal shows columns that a narrow one has no room for', async () => {
  const [narrow, wide] = [await list(80), await list(120)]
  assert.doesNotMatch(narrow, /^ +binary-heap .*deadline/m)
  assert.match(wide, /^ +binary-heap .*deadline +exact$/m)
  assert.match(narrow, /^ +start-cancel\n +n timers/m)
})

test('a queue whose package is not installed is listed with the package that it needs', () => {
  const {
    sections: [{ blocks }]
  } = listDocument(
    { queues: [{ name: 'heap-js', origin: 'peer', missing: 'heap-js needs the package heap-js' }], scenarios: [] },
    80
  )
  assert.deepEqual(blocks.at(-1), { kind: 'warnings', items: ['heap-js needs the package heap-js'] })
})

test('--json prints the declarations of queues and scenarios', async () => {
  const { code, json } = await timerqHere('list --json')
  assert.equal(code, 0)
  const { format, queues, scenarios } = json
  assert.equal(format, 'timerq-list/1')
  const heap = queues.find((/** @type {any} */ { name }) => name === 'binary-heap')
  assert.deepEqual([heap.origin, heap.complexity.insert], ['own', 'O(log n)'])
  assert.ok(scenarios.some((/** @type {any} */ { name, kind }) => name === 'keep-alive' && kind === 'http'))
})
