import { test } from 'node:test'
import assert from 'node:assert/strict'
import { drawFigure } from '../../../reports/charts/index.js'
import { lightTheme } from '../../../reports/charts/style.js'
import { renderMarkdown } from '../../../reports/render/markdown.js'
import { picturesOf } from '../../../reports/render/pictures.js'
import { concludeProfiles, profilesSection } from '../../../reports/documents/profiles.js'

/**
 * @param {string} queue
 * @param {number} share
 * @param {number} [round]
 */
function profileOf (queue, share, round = 0) {
  const node = (/** @type {string} */ name, /** @type {string} */ owner, /** @type {number} */ share, /** @type {any[]} */ callees = []) =>
    ({ name, url: `file:///${name}.js`, line: 3, owner, share, callees })
  const insert = node('insert', 'queue', share)
  return /** @type {any} */ ({
    sample: {
      scenario: 'keep-alive',
      params: { connections: 400 },
      runtime: 'v20',
      queue,
      round,
      cell: `keep-alive ${queue}`,
      metrics: { queueShare: share, fidelityError: -0.01 },
      details: { shares: { queue: { self: share, inclusive: share }, timers: { self: share, inclusive: share }, collector: 0.02, idle: 0.01 }, fidelity: { error: -0.01 } }
    },
    heavy: { javascript: [{ name: 'insert', url: 'file:///insert.js', line: 3, ticks: 100, share, callers: [] }], native: [] },
    heading: { title: `CPU profile of ${queue}`, ticks: 1000, idleTicks: 10 },
    tree: node('(root)', 'native', 1, [node('onRequest', 'other', 0.8, [insert, node('speck', 'other', 0.001)]), node('writev', 'native', 0.15)])
  })
}

const profiles = [profileOf('sorted-list', 0.34), profileOf('wheel', 0.01)]
const document = { title: 'x', blocks: [], sections: [profilesSection(profiles, [{ text: 'sorted-list: flame graph', href: '../now/a%20b.flame.html' }])] }

test('profiles are shown as shares, the lowest first, with an excerpt of each', () => {
  const text = renderMarkdown(document, 'pictures')
  assert.match(text, /\| wheel +\| +\*\*1\.0 %\*\* .*\n\| sorted-list +\| +34\.0 % /)
  assert.match(text, /```\nCPU profile of sorted-list\n[^]*100 +34\.0% {2}insert insert\.js:3/)
  assert.match(text, /- \[sorted-list: flame graph\]\(<\.\.\/now\/a%20b\.flame\.html>\)\n/)
  assert.equal(concludeProfiles(profiles)[0], 'Of the CPU that the server used on keep-alive, connections 400, Node v20, its queue took: wheel 1.0 %, sorted-list 34.0 %.')
})

test('a flame graph shows each function as wide as its share, below its caller, and marks the queue', () => {
  const [, flame] = picturesOf(document).filter(({ name }) => name.startsWith('flame') && !name.includes('dark'))
  assert.match(flame.text, /insert insert\.js:3/)
  assert.doesNotMatch(flame.text, /speck/)
  const [section] = document.sections[0].sections
  const folds = section.blocks.flatMap(block => block.kind === 'fold' ? block.blocks : [])
  const figure = /** @type {any} */ (folds.find(block => block.kind === 'figure')).figure
  assert.deepEqual(figure.bars.map((/** @type {any} */ { name, depth, from, to }) => [name, depth, from, to]),
    [['onRequest onRequest.js:3', 0, 0, 80], ['insert insert.js:3', 1, 0, 1], ['writev writev.js:3', 0, 80, 95]])
  assert.match(drawFigure(figure, lightTheme), /font-weight="700">insert|stroke="#c94f00"/)
})

test('every profile has a name and a flame graph of its own: rounds of one queue, and queues whose names are alike', () => {
  const alike = [profileOf('my-queue', 0.1), profileOf('my_queue', 0.2), profileOf('wheel', 0.3), profileOf('wheel', 0.4, 1)]
  const own = { title: 'x', blocks: [], sections: [profilesSection(alike, [])] }
  const names = picturesOf(own).map(({ name }) => name)
  assert.equal(new Set(names).size, 2 * (alike.length + 1))
  const text = renderMarkdown(own, 'pictures')
  assert.deepEqual([...text.matchAll(/<summary>(.*): flame graph/g)].map(([, name]) => name), ['my-queue', 'my_queue', 'wheel (round 1)', 'wheel (round 2)'])
  assert.match(text, /\| wheel \(round 1\) +\| +30\.0 % .*\n\| wheel \(round 2\) +\| +40\.0 % /)
  assert.match(concludeProfiles(alike)[0], /: my-queue 10\.0 %, my_queue 20\.0 %, wheel \(round 1\) 30\.0 %, wheel \(round 2\) 40\.0 %\.$/)
})
