/** Profiles as a section of a report, and as a terminal shows those just recorded. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import picocolors from 'picocolors'
import { createDocument } from '../../../reports/blocks.js'
import { profilesSection, recordedProfilesDocument } from '../../../reports/documents/profiles.js'
import { renderMarkdown } from '../../../reports/render/markdown.js'
import { renderTerminal } from '../../../reports/render/terminal.js'

/**
 * A profile of V8's sampling profiler.
 *
 * @param {string} queue
 * @param {number} share
 * @param {object} [more]
 * @returns {any}
 */
function sampleOf (queue, share, more = {}) {
  return {
    kind: 'profile',
    round: 0,
    queue,
    scenario: 'keep-alive',
    params: { connections: 400 },
    runtime: 'v20.20.2',
    metrics: { queueShare: share },
    warnings: [],
    details: {
      tool: 'cpu',
      files: ['a.html'],
      shares: {
        queue: { self: share - 0.01, inclusive: share },
        timers: { self: share, inclusive: share + 0.01 },
        collector: 0.02,
        idle: 0.1
      },
      fidelity: { error: -0.017 }
    },
    ...more
  }
}

/** @param {any[]} samples */
const inTerminal = (...samples) =>
  renderTerminal(
    recordedProfilesDocument(/** @type {any} */ ({ run: { environment: { node: 'v20.20.2' } }, samples })),
    picocolors.createColors(false)
  )

/** @param {any[]} samples */
function inReport (...samples) {
  const profiles = samples.map(sample => ({
    sample,
    heavy: {
      javascript: [{ name: 'insert', url: 'file:///insert.js', line: 3, ticks: 100, share: 0.34, callers: [] }],
      native: []
    },
    heading: { title: `CPU profile of ${sample.queue}`, ticks: 1000, idleTicks: 10 }
  }))
  const links = [{ text: 'sorted-list: heavy profile', href: '../now/a%20b.heavy.txt' }]
  return renderMarkdown(createDocument([], [profilesSection(profiles, links)]))
}

test('a report shows shares, the lowest first, with an excerpt of each profile', () => {
  const text = inReport(sampleOf('sorted-list', 0.34), sampleOf('wheel', 0.01))
  assert.match(text, /\| wheel +\| +1\.0 % .*\n\| sorted-list +\| +34\.0 % /)
  assert.match(text, /```\nCPU profile of sorted-list\n[^]*100 +34\.0% {2}insert insert\.js:3/)
  assert.match(text, /- \[sorted-list: heavy profile\]\(<\.\.\/now\/a%20b\.heavy\.txt>\)\n/)
})

test('rounds of one queue have names of their own', () => {
  const rounds = [0.3, 0.4].map((share, round) => sampleOf('wheel', share, { round }))
  const text = inReport(sampleOf('my-queue', 0.1), sampleOf('my_queue', 0.2), ...rounds)
  assert.deepEqual(
    [...text.matchAll(/<summary>(.*): heaviest functions/g)].map(([, name]) => name),
    ['my-queue', 'my_queue', 'wheel (round 1)', 'wheel (round 2)']
  )
  assert.match(text, /\| wheel \(round 1\) +\| +30\.0 % .*\n\| wheel \(round 2\) +\| +40\.0 % /)
})

test('a terminal ranks queues by their share, each with the error of its profile, within 80 columns', () => {
  const text = inTerminal(
    sampleOf('sorted-list', 0.344),
    sampleOf('unsorted-array', 0.026, { warnings: [{ kind: 'wrong-profile', text: 'it gave 36.3 %' }] })
  )
  assert.match(text, /^Queue shares of busy CPU: keep-alive, connections 400\n/)
  assert.match(
    text,
    /unsorted-array +2\.6 % +1\.6 % +3\.6 % +2\.0 % +-1\.7 pt +10\.0 %\nsorted-list +34\.4 % +33\.4 % +35\.4 % +2\.0 % +-1\.7 pt/
  )
  assert.match(text, /warning: unsorted-array: the profile cannot be trusted/)
  for (const line of text.split('\n')) assert.ok(line.length <= 80, line)
})

test('failures are reported with successes', () => {
  const failure = { kind: 'crash', message: 'cpu: the process ended with exit code 1' }
  const text = inTerminal(sampleOf('sorted-list', 0.3), { ...sampleOf('mine', 0), failure })
  assert.match(text, /failed: mine on keep-alive, cpu: the process ended with exit code 1/)
  assert.match(text, /sorted-list +30\.0 %/)
})

test('pages of other tools are named, also of one that is named like a method', () => {
  const text = inTerminal(
    ...['0x', 'constructor'].map(tool =>
      sampleOf('sorted-list', 0, { details: { tool, files: [`a.${tool}.html`] } })
    )
  )
  assert.match(text, /^sorted-list, 0x: a\.0x\.html\nsorted-list, constructor: a\.constructor\.html\n/)
})
