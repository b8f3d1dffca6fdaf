/** Heavy profiles as text. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { nameFunction, renderHeaviest, renderHeavyProfile } from '../../../reports/documents/heavy-profile.js'

test('a heavy profile looks like those of the wiki', () => {
  const caller = { name: 'onread', url: 'node:net', line: 492, ticks: 10275, share: 0.983, callers: [] }
  const text = renderHeavyProfile(
    {
      javascript: [
        { name: 'insert', url: 'file:///a/list.js', line: 32, ticks: 10456, share: 0.344, callers: [caller] }
      ],
      native: [{ name: 'writev', url: '', line: 0, ticks: 500, share: 0.05, callers: [] }]
    },
    { title: 'sorted-list, keep-alive', ticks: 30000, idleTicks: 1200 }
  )
  assert.equal(
    text.slice(text.indexOf(' [JavaScript]')),
    ` [JavaScript]:
  ticks parent  name
  10456   34.4%  insert list.js:32
  10275   98.3%    onread node:net:492

 [Native code and system calls]:
  ticks parent  name
    500    5.0%  writev
`
  )
  assert.match(text, /^sorted-list, keep-alive\n/)
  assert.match(text, /30000 ticks, 1200 of them idle and not shown/)
})

test('a function is named by its file without the folders', () => {
  assert.equal(nameFunction({ name: 'tick', url: 'file:///x/my%queue.js', line: 3 }), 'tick my%queue.js:3')
  assert.equal(nameFunction({ name: '(program)', url: '', line: 0 }), '(program)')
})

test('the heaviest functions are in the order of their ticks, whether the queue or Node runs them', () => {
  const row = (/** @type {string} */ name, /** @type {number} */ ticks) => ({
    name,
    url: '',
    line: 0,
    ticks,
    share: ticks / 1000,
    callers: []
  })
  const text = renderHeaviest([row('insert', 30), row('parse', 5), row('writev', 50), row('epoll', 20)], 3)
  assert.deepEqual(text.match(/[a-z]+$/gm), ['name', 'writev', 'insert', 'epoll'])
  assert.match(text, /^ {2}ticks of CPU {2}name\n {5}50 {4}5\.0% {2}writev\n/, 'shares of the whole, not of a caller')
})
