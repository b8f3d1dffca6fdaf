/** Profiles from the top down, and their differences. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { buildTree } from '../../../../harness/profile/analysis/cpu-profile.js'
import { differentialTree, flameTree } from '../../../../harness/profile/analysis/flame-tree.js'
import { callFrame } from '../recorded.js'

const profile = buildTree({
  nodes: [
    { id: 1, callFrame: callFrame('(root)', ''), hitCount: 0, children: [2, 3, 5] },
    { id: 2, callFrame: callFrame('serve'), hitCount: 10 },
    { id: 3, callFrame: callFrame('serve'), hitCount: 10, children: [4] },
    { id: 4, callFrame: callFrame('insert', 'file:///a/queue.js'), hitCount: 30 },
    { id: 5, callFrame: callFrame('(idle)', ''), hitCount: 50 }
  ],
  startTime: 0,
  endTime: 100
})
const owner = (/** @type {{url: string}} */ { url }) =>
  url.endsWith('queue.js') ? /** @type {const} */ ('queue') : /** @type {const} */ ('other')
const strip = (/** @type {any} */ { name, share, base, callees }) => [
  name,
  ...(base === undefined ? [] : [base]),
  share,
  ...callees.map(strip)
]

test('frames of one function with the same callers are merged, with shares that include what they call; idle time ' +
  'is left out', () => {
  const tree = flameTree(profile, 2, owner)
  assert.deepEqual(strip(tree), ['(root)', 1, ['serve', 1, ['insert', 0.6]]])
  assert.deepEqual([tree.owner, tree.callees[0].callees[0].owner], ['other', 'queue'])
})

test('a differential tree holds what was added, what was removed and what moved to another line or folder', () => {
  const node = (
    /** @type {string} */ name,
    /** @type {number} */ share,
    url = 'file:///a/x.js',
    callees = /** @type {any[]} */ ([])
  ) => ({ name, url, line: 1, owner: /** @type {const} */ ('other'), share, callees })
  const base = node('(root)', 1, '', [node('serve', 0.6), node('gone', 0.4, 'file:///a/x.js', [node('deep', 0.3)])])
  const candidate = node('(root)', 0.9, '', [{ ...node('serve', 0.5, 'file:///b/x.js'), line: 7 }, node('new', 0.4)])
  assert.deepEqual(strip(differentialTree(base, candidate)), [
    '(root)',
    1,
    0.9,
    ['serve', 0.6, 0.5],
    ['new', 0, 0.4],
    ['gone', 0.4, 0, ['deep', 0.3, 0]]
  ])
})
