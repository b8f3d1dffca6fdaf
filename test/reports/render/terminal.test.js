/** What golden files of terminals do not show: colours, letters of two columns, and breaks of lines. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { stripVTControlCharacters } from 'node:util'
import picocolors from 'picocolors'
import { createDocument, number, section, table } from '../../../reports/blocks.js'
import { summaryDocument } from '../../../reports/documents/results.js'
import { renderTerminal } from '../../../reports/render/terminal.js'
import { wrap } from '../../../reports/wrap.js'
import { heatsRun } from '../fixture.js'

const plain = picocolors.createColors(false)

test('colours change no letter, and mark the best, the control and warnings', () => {
  const document = summaryDocument({ ...heatsRun().summary, warnings: ['x'] })
  const style = picocolors.createColors(true)
  const coloured = renderTerminal(document, style)
  assert.equal(stripVTControlCharacters(coloured), renderTerminal(document, plain))
  for (const part of [
    style.cyan('= duration-lists'),
    style.green('8.52 (6.63–12.8) 1.00x *'),
    style.yellow('warning: x')
  ]) {
    assert.ok(coloured.includes(part), part)
  }
})

test('a column of numbers is aligned at the right, of words at the left, whatever room their letters take', () => {
  const content = table({
    caption: 'name',
    columns: ['queue', 'word', number('count')],
    rows: [
      ['時計', 'x', '1'],
      ['bcd', 'yz', '100']
    ]
  })
  assert.equal(
    renderTerminal(createDocument([], [section('s', [content])]), plain),
    's\nname  word  count\n時計  x         1\nbcd   yz      100\n'
  )
})

test('text is wrapped between words, not within a number nor before its unit', () => {
  for (const end of ['10 000 timers', '95 % sure', '250 µs of it']) {
    assert.deepEqual(wrap(`${'word '.repeat(15)}at ${end}`), [`${'word '.repeat(15)}at`, `  ${end}`])
  }
  assert.deepEqual(wrap('short'), ['short'])
  assert.equal(wrap('時計 '.repeat(20)).length, 2, 'a letter may take two columns')
})
