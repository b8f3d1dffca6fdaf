/** Processes on the cores that they are given. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import os from 'node:os'
import { Child } from '../../../harness/processes/child.js'
import { SERVER } from '../../../harness/processes/entries.js'
import { choosePins, pinProcess } from '../../../harness/processes/pinning.js'
import { skipUnless } from '../../needs.js'
import { runtime } from '../measure/entrants.js'

const { cores } = choosePins()
const isPinned = cores.every(([command]) => command !== undefined)
const skip = skipUnless(isPinned, 'needs taskset, and two cores that it may use')

/** @param {number | undefined} pid */
const coresOf = pid =>
  readdirSync(`/proc/${pid}/task`).map(
    thread => /^Cpus_allowed_list:\t(.*)$/m.exec(readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8'))?.[1]
  )

test('a running process is pinned with all its threads, again and again', { skip }, async t => {
  const child = new Child(SERVER, { runtime })
  t.after(() => child.end())
  await child.ask({ type: 'open' }, 10_000)
  for (const pin of [cores[0], cores[1], cores[0]]) {
    await pinProcess(child.pid, pin)
    const found = coresOf(child.pid)
    assert.ok(found.length > 1)
    assert.deepEqual(new Set(found), new Set([pin.at(-1)]))
  }
})

test('a process that has ended, or that nothing can pin, is left as it is', async () => {
  await pinProcess(2 ** 30, ['taskset', '-c', '0'])
  await pinProcess(process.pid, ['there-is-no-such-program'])
  await pinProcess(process.pid)
})

test('without taskset nothing is pinned, which the note says', t => {
  const { PATH } = process.env
  t.after(() => {
    process.env.PATH = PATH
  })
  process.env.PATH = '/nowhere'
  const unpinned = Array.from({ length: os.availableParallelism() }, () => [])
  const note = 'not pinned: no taskset here'
  assert.deepEqual(choosePins(), { subject: [], load: [], cores: unpinned, note, canPin: false })
})
