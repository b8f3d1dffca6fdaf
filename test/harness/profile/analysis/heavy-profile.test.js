/** Profiles from the bottom up. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { buildTree } from '../../../../harness/profile/analysis/cpu-profile.js'
import { heavyProfile } from '../../../../harness/profile/analysis/heavy-profile.js'
import { callFrame } from '../recorded.js'

const profile = buildTree({
  nodes: [
    { id: 1, callFrame: callFrame('(root)', ''), hitCount: 0, children: [2, 4, 6, 8, 9] },
    { id: 2, callFrame: callFrame('often'), hitCount: 0, children: [3] },
    { id: 3, callFrame: callFrame('hot'), hitCount: 49 },
    { id: 4, callFrame: callFrame('seldom'), hitCount: 0, children: [5] },
    { id: 5, callFrame: callFrame('hot'), hitCount: 1 },
    { id: 6, callFrame: callFrame('warm'), hitCount: 5, children: [7] },
    { id: 7, callFrame: callFrame('write', ''), hitCount: 25 },
    { id: 8, callFrame: callFrame('(idle)', ''), hitCount: 19 },
    { id: 9, callFrame: callFrame('cold'), hitCount: 1 }
  ],
  startTime: 0,
  endTime: 100
})

test('functions come heaviest first with their callers below; native code is apart, idle time and rows under 2 % ' +
  'are left out', () => {
  const { javascript, native } = heavyProfile(profile, 1)
  const strip = (/** @type {any} */ { name, ticks, share, callers }) => ({
    name,
    ticks,
    share,
    callers: callers.map(strip)
  })
  assert.deepEqual(javascript.map(strip), [
    {
      name: 'hot',
      ticks: 50,
      share: 0.5,
      callers: [
        { name: 'often', ticks: 49, share: 0.98, callers: [] },
        { name: 'seldom', ticks: 1, share: 0.02, callers: [] }
      ]
    },
    { name: 'warm', ticks: 5, share: 0.05, callers: [] }
  ])
  assert.deepEqual(native.map(strip), [
    { name: 'write', ticks: 25, share: 0.25, callers: [{ name: 'warm', ticks: 25, share: 1, callers: [] }] }
  ])
})

test('rows are in the order of their ticks, also where ticks took unlike times', () => {
  const frame = (/** @type {string} */ name, /** @type {number} */ ticks, /** @type {number} */ time) => ({
    name,
    url: 'file:///a.js',
    line: 1,
    ticks,
    time,
    caller: null
  })
  const { javascript } = heavyProfile(
    /** @type {any} */ ({ frames: [frame('long', 10, 60), frame('often', 30, 40)] }),
    1
  )
  assert.deepEqual(
    javascript.map(({ name }) => name),
    ['often', 'long']
  )
})
