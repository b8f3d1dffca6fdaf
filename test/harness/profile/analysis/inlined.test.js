/** Ticks of inlined functions, found by the numbers of their lines. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { buildTree, parseCpuProfile } from '../../../../harness/profile/analysis/cpu-profile.js'
import { restoreInlined } from '../../../../harness/profile/analysis/inlined.js'
import { callFrame, recorded, treeOf, VERSIONS } from '../recorded.js'

/** Lines 1 to 30 of server.js are called 1001 to 1030, those of queue.js 2001 to 2030. */
const modules = [
  {
    url: 'file:///server.js',
    firstLine: 1001,
    functions: [
      { name: '(module)', line: 1, endLine: 30 },
      { name: 'refresh', line: 5, endLine: 9 }
    ]
  },
  {
    url: 'file:///queue.js',
    firstLine: 2001,
    functions: [
      { name: '(module)', line: 1, endLine: 30 },
      { name: 'insert', line: 10, endLine: 20 },
      { name: 'before', line: 12, endLine: 14 }
    ]
  }
]
const refreshed = {
  nodes: [
    { id: 1, callFrame: { ...callFrame('(root)', '', 0) }, hitCount: 0, children: [2] },
    {
      id: 2,
      callFrame: callFrame('refresh', 'file:///server.js', 1005),
      hitCount: 8,
      positionTicks: [
        { line: 1006, ticks: 2 },
        { line: 2011, ticks: 1 },
        { line: 2013, ticks: 2 },
        { line: 2019, ticks: 3 }
      ]
    }
  ],
  startTime: 0,
  endTime: 8,
  samples: [2, 2, 2, 2, 2, 2, 2, 2],
  timeDeltas: [1, 1, 1, 1, 1, 1, 1, 1]
}

test('ticks of inlined functions become functions of their own below the one they were inlined into', () => {
  const { nodes } = restoreInlined(refreshed, modules)
  assert.deepEqual(
    nodes.map(({ callFrame: { functionName, url, lineNumber }, hitCount }) => [
      functionName,
      url,
      lineNumber + 1,
      hitCount
    ]),
    [
      ['(root)', '', 0, 0],
      ['refresh', 'file:///server.js', 5, 2],
      ['insert', 'file:///queue.js', 10, 4],
      ['before', 'file:///queue.js', 12, 2]
    ]
  )
  assert.deepEqual(nodes[1].children, [3, 4])
  assert.deepEqual(
    nodes.map(({ positionTicks }) => positionTicks),
    [
      [],
      [{ line: 6, ticks: 2 }],
      [
        { line: 11, ticks: 1 },
        { line: 19, ticks: 3 }
      ],
      [{ line: 13, ticks: 2 }]
    ]
  )
})

test('samples go to the inlined functions in proportion, evenly spread', () => {
  assert.deepEqual(restoreInlined(refreshed, modules).samples, [3, 2, 4, 3, 3, 2, 4, 3])
})

test('a profile whose lines are not numbered stays as it is', () => {
  assert.deepEqual(buildTree(restoreInlined(refreshed, [])), buildTree(refreshed))
})

for (const version of VERSIONS) {
  test(`Node ${version}: no tick is lost, and the search for the place to insert is found in its file`, () => {
    const tree = treeOf(version)
    assert.equal(tree.ticks, buildTree(recorded(version).profile).ticks)
    const searching = tree.frames.filter(
      ({ name, url }) => name === 'predecessorOf' && url.endsWith('/queues/sorted-list.js')
    )
    assert.ok(searching.reduce((sum, { ticks }) => sum + ticks, 0) > 50)
    assert.ok(
      searching.every(({ line }) => line === 32),
      'the line is that of the file'
    )
    assert.ok(tree.frames.every(({ line }) => line < 20_000))
  })

  test(`Node ${version}: what is saved is a profile that DevTools and speedscope open: samples, hits and time deltas agree`, () => {
    const { profile, modules } = recorded(version)
    // Fixtures hold no samples: give each node as many as it has ticks.
    const sampled = profile.nodes.flatMap((/** @type {any} */ { id, hitCount }) => Array(hitCount).fill(id))
    const raw = { ...profile, samples: sampled, timeDeltas: sampled.map(() => 500) }
    const saved = parseCpuProfile(JSON.stringify(restoreInlined(raw, modules)), 'saved')
    const { nodes, samples = [], timeDeltas } = saved
    assert.equal(new Set(nodes.map(({ id }) => id)).size, nodes.length)
    assert.equal(timeDeltas?.length, samples.length)
    const hits = new Map()
    for (const id of samples) hits.set(id, (hits.get(id) ?? 0) + 1)
    assert.deepEqual(
      nodes.filter(({ id, hitCount = 0 }) => hitCount !== (hits.get(id) ?? 0)),
      []
    )
  })
}
