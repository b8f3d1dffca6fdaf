/** Modules import each other in no circle: each can be read, and taken out, after those that it stands on. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { globSync } from 'tinyglobby'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const COMMENT = /\/\*[^]*?\*\//g
const IMPORT = /^(?:import|export|\}) [^']*?from '(\.[^']+)'|^import '(\.[^']+)'/gm

/** @param {string} file */
const importsOf = file =>
  [...readFileSync(path.join(ROOT, file), 'utf8').replace(COMMENT, '').matchAll(IMPORT)].map(([, from, bare]) =>
    path.posix.join(path.posix.dirname(file), from ?? bare)
  )

test('modules import each other in no circle', () => {
  const imports = new Map(
    globSync('{action,bin,harness,queues,reports,scenarios,timers}/**/*.js', { cwd: ROOT, ignore: '**/dist/**' })
      .map(file => [file, importsOf(file)])
  )
  assert.deepEqual(imports.get('harness/gate/index.js')?.includes('harness/gate/gate.js'), true)
  // A module that imports none of those that are left is read, and goes.
  for (let size = Infinity; imports.size < size;) {
    size = imports.size
    for (const [file, read] of imports) if (!read.some(one => imports.has(one))) imports.delete(file)
  }
  assert.deepEqual([...imports.keys()], [])
})
