/** The document of profiles. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { renderMarkdown } from '../../../reports/render/markdown.js'
import { profilesSection } from '../../../reports/documents/profiles.js'

/**
 * @param {string} queue
 * @param {number} share
 * @param {number} [round]
 */
function profileOf (queue, share, round = 0) {
  return /** @type {any} */ ({
    sample: {
      scenario: 'keep-alive',
      params: { connections: 400 },
      runtime: 'v20',
      queue,
      round,
      cell: `keep-alive ${queue}`,
      metrics: { queueShare: share, fidelityError: -0.01 },
      details: {
        shares: {
          queue: { self: share, inclusive: share },
          timers: { self: share, inclusive: share },
          collector: 0.02,
          idle: 0.01
        },
        fidelity: { error: -0.01 }
      }
    },
    heavy: {
      javascript: [{ name: 'insert', url: 'file:///insert.js', line: 3, ticks: 100, share, callers: [] }],
      native: []
    },
    heading: { title: `CPU profile of ${queue}`, ticks: 1000, idleTicks: 10 }
  })
}

const profiles = [profileOf('sorted-list', 0.34), profileOf('wheel', 0.01)]
const document = {
  title: 'x',
  blocks: [],
  sections: [profilesSection(profiles, [{ text: 'sorted-list: flame graph', href: '../now/a%20b.flame.html' }])]
}

test('profiles are shown as shares, the lowest first, with an excerpt of each', () => {
  const text = renderMarkdown(document, 'pictures')
  assert.match(text, /\| wheel +\| +\*\*1\.0 %\*\* .*\n\| sorted-list +\| +34\.0 % /)
  assert.match(text, /```\nCPU profile of sorted-list\n[^]*100 +34\.0% {2}insert insert\.js:3/)
  assert.match(text, /- \[sorted-list: flame graph\]\(<\.\.\/now\/a%20b\.flame\.html>\)\n/)
})

test('rounds of one queue have names of their own', () => {
  const alike = [
    profileOf('my-queue', 0.1),
    profileOf('my_queue', 0.2),
    profileOf('wheel', 0.3),
    profileOf('wheel', 0.4, 1)
  ]
  const own = { title: 'x', blocks: [], sections: [profilesSection(alike, [])] }
  const text = renderMarkdown(own, 'pictures')
  assert.deepEqual(
    [...text.matchAll(/<summary>(.*): heaviest functions/g)].map(([, name]) => name),
    ['my-queue', 'my_queue', 'wheel (round 1)', 'wheel (round 2)']
  )
  assert.match(text, /\| wheel \(round 1\) +\| +30\.0 % .*\n\| wheel \(round 2\) +\| +40\.0 % /)
})
