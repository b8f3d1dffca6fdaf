/** Edits of a queue change its source, and nothing else. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { cases } from './cases.js'
import { edit, VARIANTS } from './edits.js'

test('every edit changes the source of every queue, and keeps its words', () => {
  const same = cases.filter(({ kind }) => kind === 'same')
  assert.equal(same.length, 4 * (VARIANTS.length - 1))
  const wordsOf = (/** @type {string} */ text) => text.replace(/^\/\/ Every timer that.*\n/gm, '').match(/\w+/g)?.sort()
  for (const { name, base, head } of same) {
    const [[file, source]] = Object.entries(base)
    assert.notEqual(head[file], source, name)
    if (!name.includes('rename')) assert.deepEqual(wordsOf(head[file]), wordsOf(source), name)
  }
})

test('methods change places and keep their comments, fields keep their order', () => {
  const source =
    'class Queue {\n  a = 1\n  /** Second. */\n  b = 2\n\n' +
    ['x', 'y', 'z', 'w']
      .map(name => `  /** Of ${name}. */\n  ${name} (timer) {\n    if (timer) {\n    }\n  }\n`)
      .join('\n') +
    '}\n'
  const edited = edit(source, VARIANTS.findIndex(([first]) => first === 'reorderMethods'))
  assert.ok(edited.startsWith('class Queue {\n  a = 1\n  /** Second. */\n  b = 2\n'))
  assert.notEqual(edited, source)
})
