import { test } from 'node:test'
import assert from 'node:assert/strict'
import { mkdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { writeLargeResults } from './large-results.js'

const TIMERQ = fileURLToPath(new URL('../../bin/timerq.js', import.meta.url))
const ROUNDS = Number(process.env.TIMERQ_SOAK_ROUNDS ?? 200)
/** Of old space, which holds the samples: half a KiB each, and as much again for what is made of them. */
const HEAP_MB = 1024

test(`${5000 * ROUNDS} samples of 5 000 cells are reported and compared in ${HEAP_MB} MiB`, t => {
  const folder = temporaryFolder(t)
  const directory = path.join(folder, 'results')
  mkdirSync(directory)
  writeLargeResults(directory, { cells: 5000, rounds: ROUNDS })
  const page = path.join(folder, 'report.html')
  for (const [args, codes] of /** @type {[string[], number[]][]} */ ([
    [['report', directory, '--format', 'markdown', '--out', path.join(folder, 'report.md')], [0]],
    [['report', directory, '--out', page], [0]],
    // Whatever the verdict is.
    [['compare', directory, '--queue', 'queue-0,queue-3'], [0, 1, 3]]
  ])) {
    const { status, stderr } = spawnSync(process.execPath, [`--max-old-space-size=${HEAP_MB}`, TIMERQ, ...args], { encoding: 'utf8', maxBuffer: 2 ** 28 })
    assert.ok(codes.includes(Number(status)), `${args[0]} ended with ${status}: ${stderr.slice(-500)}`)
  }
  assert.ok(statSync(page).size < 100 * 2 ** 20, `the page has ${statSync(page).size} bytes`)
})
