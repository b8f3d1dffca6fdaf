/** Edits of a queue change its source, and nothing else. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { WORK_FLAGS } from '../../harness/measure/micro/alone.js'
import { temporaryFolder } from '../../test/harness/temporary-folder.js'
import { edit, VARIANTS, writeVariants } from './neutral-edits.js'

/** The queues that the calibration edits. */
const QUEUES = ['binary-heap', 'quaternary-heap', 'hierarchical-wheel', 'lazy-wheel']
const COUNTER = fileURLToPath(new URL('./count-variants.js', import.meta.url))

test('every variant of a queue does exactly the work of the original', t => {
  const folder = temporaryFolder(t)
  writeVariants(folder)
  for (const queue of QUEUES) {
    const works = JSON.parse(
      execFileSync(process.execPath, [...WORK_FLAGS, COUNTER, folder, queue], { encoding: 'utf8' })
    )
    assert.ok(works[0] > 5000, `${queue}: ${works[0]}`)
    assert.deepEqual(works, VARIANTS.map(() => works[0]), queue)
  }
})

test('every edit changes the source of every queue, but for the first, which is none', () => {
  for (const queue of QUEUES) {
    const source = readFileSync(new URL(`../../queues/${queue}.js`, import.meta.url), 'utf8')
    const edited = VARIANTS.map((_, variant) => edit(source, variant))
    assert.equal(edited[0], source)
    assert.equal(new Set(edited).size, VARIANTS.length, queue)
  }
})

test('methods change places and keep their comments, fields keep their order', () => {
  const source =
    'class Queue {\n  a = 1\n  /** Second. */\n  b = 2\n\n' +
    ['x', 'y', 'z', 'w']
      .map(name => `  /** Of ${name}. */\n  ${name} (timer) {\n    if (timer) {\n    }\n  }\n`)
      .join('\n') +
    '}\n'
  const edited = edit(
    source,
    VARIANTS.findIndex(([first]) => first === 'reorderMethods')
  )
  assert.ok(edited.startsWith('class Queue {\n  a = 1\n  /** Second. */\n  b = 2\n'))
  assert.deepEqual(edited.split('\n').sort(), source.split('\n').sort())
  for (const name of ['x', 'y', 'z', 'w']) {
    assert.ok(edited.includes(`  /** Of ${name}. */\n  ${name} (timer) {\n    if (timer) {\n    }\n  }\n`), edited)
  }
  assert.notEqual(edited, source)
})
