/** Profiles just recorded, tool by tool. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import picocolors from 'picocolors'
import { recordedProfilesDocument } from '../../../reports/documents/recorded-profiles.js'
import { renderTerminal } from '../../../reports/render/terminal.js'
/** @import { Warning } from '../../../harness/model/warnings.js' */

const style = picocolors.createColors(false)
const renderProfiles = (/** @type {any} */ results) => renderTerminal(recordedProfilesDocument(results), style)

/**
 * @param {string} queue
 * @param {number} share
 * @param {number} error
 * @param {Warning[]} [warnings]
 */
function profiled (queue, share, error, warnings = []) {
  const details = {
    tool: 'cpu',
    files: [],
    shares: {
      queue: { self: share - 0.01, inclusive: share },
      timers: { self: share, inclusive: share + 0.01 },
      collector: 0.02,
      idle: 0.1,
      idleByProfile: 0.2
    },
    fidelity: { known: 0.3, profiled: 0.3 + error, error }
  }
  return {
    kind: 'profile',
    round: 0,
    queue,
    scenario: 'keep-alive',
    params: { connections: 400 },
    runtime: 'v20.20.2',
    metrics: { queueShare: share, fidelityError: error },
    warnings,
    details
  }
}

/** @param {object[]} samples */
const resultsOf = samples =>
  /** @type {any} */ ({ directory: 'results/x', run: { environment: { node: 'v20.20.2' } }, samples, warnings: [] })

test('queues are ranked by their share, each with the error of its profile, within 80 columns', () => {
  const text = renderProfiles(
    resultsOf([
      profiled('sorted-list', 0.344, -0.017),
      profiled('unsorted-array', 0.026, 0.063, [{ kind: 'wrong-profile', text: 'it gave 36.3 %' }])
    ])
  )
  assert.match(text, /^Queue shares of busy CPU: keep-alive, connections 400\n/)
  assert.match(
    text,
    /unsorted-array +2\.6 % +1\.6 % +3\.6 % +2\.0 % +\+6\.3 pt +10\.0 %\nsorted-list +34\.4 % +33\.4 % +35\.4 % +2\.0 % +-1\.7 pt/
  )
  assert.match(text, /warning: unsorted-array: the profile cannot be trusted/)
  for (const line of text.split('\n')) assert.ok(line.length <= 80, line)
})

test('what failed is said beside what did not', () => {
  const failed = {
    kind: 'profile',
    queue: 'mine',
    scenario: 'keep-alive',
    params: {},
    runtime: 'v20',
    metrics: {},
    warnings: [],
    failure: { kind: 'crash', message: 'cpu: the process ended with exit code 1' }
  }
  const text = renderProfiles(resultsOf([profiled('sorted-list', 0.3, 0), failed]))
  assert.match(text, /failed: mine on keep-alive, cpu: the process ended with exit code 1/)
  assert.match(text, /sorted-list +30\.0 %/)
})

test('a damaged profile whose tool is named like a method of every object is listed like one of a tool that has no table', () => {
  const damaged = profiled('sorted-list', 0.3, 0)
  const text = renderProfiles(
    resultsOf([{ ...damaged, details: { ...damaged.details, tool: 'constructor', files: ['a.html'] } }])
  )
  assert.match(text, /sorted-list, constructor: a\.html/)
})

test('garbage is ranked by what is allocated per operation', () => {
  const garbage = (/** @type {string} */ queue, /** @type {number} */ bytes) => ({
    kind: 'profile',
    queue,
    scenario: 'start-cancel',
    params: { size: 100 },
    runtime: 'v20.20.2',
    metrics: { gcCount: 3, gcPauseMs: 1.5, gcShare: 0.01, allocatedBytesPerOp: bytes },
    warnings: [],
    details: {
      tool: 'gc',
      files: [],
      garbage: {
        all: { longestMs: 0.7 },
        allocatedBytesPerSecond: 5e7,
        histogram:
          bytes > 1
            ? [
                { upToMs: 0.125, count: 2 },
                { upToMs: 1, count: 1 }
              ]
            : []
      }
    }
  })
  const text = renderProfiles(resultsOf([garbage('duration-lists', 80), garbage('binary-heap', 0.01)]))
  assert.match(text, /binary-heap +0\.0100 B\/op +50 MB\/s +3 +1\.50 ms +0\.700 ms +1\.0 %\nduration-lists +80 B\/op/)
  assert.match(text, /\nduration-lists: 2 pauses up to 0\.125 ms, 1 pause up to 1 ms\n/)
})

test('what perf saw is a table, and the pages of 0x and clinic are named', () => {
  const made = (/** @type {string} */ tool, /** @type {string} */ file, more = {}) => ({
    ...profiled('sorted-list', 0, 0),
    metrics: {},
    details: { tool, files: [file], ...more }
  })
  const text = renderProfiles(
    resultsOf([
      made('0x', 'a.0x.html'),
      made('clinic-doctor', 'a.clinic-doctor.html'),
      made('perf', 'a.perf.txt', { shares: { samples: 4426, kernel: 0.476, javascript: 0.228, native: 0.297 } })
    ])
  )
  assert.match(text, /^Samples of perf: keep-alive, connections 400\n/)
  assert.match(text, /\nsorted-list +22\.8 % +29\.7 % +47\.6 % +4,?426\n/)
  assert.match(text, /\nsorted-list, 0x: a\.0x\.html\nsorted-list, clinic-doctor: a\.clinic-doctor\.html\n/)
})
