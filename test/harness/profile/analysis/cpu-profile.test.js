/** Profiles of V8 as trees, and damaged profiles. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { UsageError } from '../../../../harness/model/errors.js'
import {
  buildTree,
  parseCpuProfile,
  readCpuProfile,
  stackOf
} from '../../../../harness/profile/analysis/cpu-profile.js'
import { callFrame } from '../recorded.js'
import { temporaryFolder } from '../../temporary-folder.js'

const small = {
  nodes: [
    { id: 1, callFrame: callFrame('(root)', '', 0), hitCount: 0, children: [2] },
    { id: 2, callFrame: callFrame('', undefined, 5), hitCount: 3, children: [3] },
    { id: 3, callFrame: callFrame('leaf'), hitCount: 5 }
  ],
  startTime: 0,
  endTime: 8
}

test('a profile becomes a tree of functions with their callers', () => {
  const { root, frames, ticks } = buildTree(parseCpuProfile(JSON.stringify(small), 'x'))
  assert.equal(ticks, 8)
  assert.equal(root.name, '(root)')
  assert.deepEqual(
    [...stackOf(frames[2])].map(({ name }) => name),
    ['leaf', '(anonymous)', '(root)']
  )
  assert.equal(frames[1].line, 5)
})

test('where a profile has no hit counts, its samples are counted', () => {
  const nodes = small.nodes.map(({ hitCount, ...node }) => node)
  const { frames } = buildTree(parseCpuProfile(JSON.stringify({ ...small, nodes, samples: [3, 2, 3] }), 'x'))
  assert.deepEqual(
    frames.map(({ ticks }) => ticks),
    [0, 1, 2]
  )
})

test('a function runs from its tick to the next one; without samples, all ticks are equally long', () => {
  const sampled = { ...small, samples: [2, 3, 2, 3], timeDeltas: [900, 100, 300, 600] }
  assert.deepEqual(
    buildTree(sampled).frames.map(({ time }) => time),
    [0, 0.7, 0.3]
  )
  assert.deepEqual(
    buildTree(small).frames.map(({ time }) => time),
    [0, 3 / 8, 5 / 8]
  )
})

test('a sample that is no tick, taken where optimised code was thrown away, has no time', () => {
  const timesOf = (/** @type {number} */ hits, /** @type {number[]} */ samples) => {
    const nodes = small.nodes.map(node => (node.id === 3 ? { ...node, hitCount: hits } : node))
    return buildTree({ ...small, nodes, samples, timeDeltas: [0, 100, 300, 500, 100] }).frames.map(({ time }) => time)
  }
  assert.deepEqual(timesOf(2, [2, 3, 3, 2, 2]), [0, 0.2, 0.8])
  assert.deepEqual(timesOf(1, [2, 3, 3, 2, 2]), [0, 0.5, 0.5])
  assert.deepEqual(timesOf(0, [2, 3, 3, 2, 2]), [0, 1, 0])
  // The function that ran before the first tick is not known.
  assert.deepEqual(
    timesOf(1, [3, 3, 2, 3, 2]).map(time => Math.round(600 * time)),
    [0, 500, 100]
  )
})

test('a profile is read from a file', t => {
  const file = path.join(temporaryFolder(t), 'a.cpuprofile')
  writeFileSync(file, JSON.stringify(small))
  assert.deepEqual(readCpuProfile(file), small)
})

const whole = JSON.stringify(small)
const deep = Array.from({ length: 1001 }, (_, id) => ({ ...small.nodes[2], id, children: id < 1000 ? [id + 1] : [] }))
const NO_PROFILE = /^x is no CPU profile, or a damaged one: /

for (const [what, text, message] of /** @type {[string, string, RegExp][]} */ ([
  ['a truncated profile', whole.slice(0, -20), NO_PROFILE],
  ['some other JSON', '{"samples": []}', /must have required property 'nodes'/],
  ['no nodes at all', '{"nodes": []}', /^x is an empty CPU profile/],
  ['a profile without a tick', whole.replaceAll(/"hitCount":\d/g, '"hitCount":0'), /^x is an empty CPU profile/],
  ['a node without a function', whole.replace('"functionName":"leaf",', ''), /nodes\/2.* 'functionName'/],
  ['a missing callee', whole.replace('"id":3', '"id":4'), /node 3 is missing$/],
  ['a function that calls its caller', whole.replace('"children":[3]', '"children":[2]'), /node 2 has two callers$/],
  ['a function that calls the root', whole.replace('"children":[3]', '"children":[1]'), /node 1 has two callers$/],
  ['a node that nothing calls', whole.replace('"children":[3]', '"children":[]'), /1 of its nodes are not called/],
  ['calls without end', JSON.stringify({ nodes: deep }), /calls are nested more than 1000 deep$/],
  ['a sample of a missing node', JSON.stringify({ ...small, samples: [9] }), /a sample is of node 9, which is missing$/],
  [
    'a profile with fewer time deltas than samples',
    JSON.stringify({ ...small, samples: [3, 2], timeDeltas: [1] }),
    /it has 2 samples, but 1 time deltas$/
  ]
])) {
  test(`${what} is refused in one clear line`, () => {
    assert.throws(
      () => parseCpuProfile(text, 'x'),
      error => {
        assert.ok(error instanceof UsageError)
        assert.match(error.message, message)
        assert.ok(!error.message.includes('\n'))
        return true
      }
    )
  })
}

test('a missing file is refused in one clear line', () => {
  assert.throws(() => readCpuProfile('/nowhere.cpuprofile'), {
    name: 'Error',
    exitCode: 2,
    message: /^\/nowhere.cpuprofile cannot be read: ENOENT/
  })
})
