/**
 * Results directories that can no longer be written. A small disk is a tmpfs, which needs the permission to mount one.
 */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { timerq } from '../bin/timerq.js'
import { LONG_RUN, MEASURING, MICRO_RUN, unlessPermitted, WatchedRun } from './watched-run.js'

/** The run stands still where it has kept samples and others are left to take. */
const hold = { at: MEASURING, after: 1 }
const KIB = 1024
const skip = unlessPermitted('to mount a tmpfs', ['unshare', '--mount', 'mount', '-t', 'tmpfs', 'none', '/mnt'])

test(
  'when the disk is full, the run ends with one line, keeps its samples, and can be continued',
  { skip },
  async t => {
    const { disk, folder } = smallDisk(t)
    const filler = path.join(disk, 'filler')
    // It writes more than the rest of a page, which a full disk still has.
    const run = new WatchedRun(t, LONG_RUN, { folder, out: 'disk/results', hold })
    await run.whileHeld(() => fill(filler, disk))
    await run.ends(
      4,
      /^timerq: cannot write to disk\/results: its disk is full\. Finished samples are kept: free some space, then continue with --resume\n$/m
    )
    const kept = run.samples()
    assert.ok(kept.length > 0)

    rmSync(filler)
    const resumed = new WatchedRun(t, ['run', '--resume', 'disk/results'], { folder: run.folder, out: 'disk/results' })
    await resumed.ends(0)
    assert.deepEqual(resumed.samples().slice(0, kept.length), kept)
    // Six heats and one count of each queue.
    assert.equal(resumed.samples().length, 2 * (6 + 1))
  }
)

test('a run that finds its disk full at the start measures nothing, and says so in one line', { skip }, async t => {
  const { disk, folder } = smallDisk(t)
  fill(path.join(disk, 'filler'), disk)
  const run = new WatchedRun(t, MICRO_RUN, { folder, out: 'disk/results' })
  await run.ends(2, /^timerq: cannot create disk\/results: ENOSPC.*; choose another with --out\n$/)
})

test('a results directory that is deleted during the run ends it with one line', async t => {
  const run = new WatchedRun(t, MICRO_RUN, { hold })
  await run.whileHeld(() => rmSync(run.out, { recursive: true }))
  await run.ends(4, /^timerq: cannot write to results: it was deleted or moved during the run\. .*\n$/m)
  assert.ok(!existsSync(run.out), 'it is not made again')
})

test('a report that cannot be written does not cost the tables', async t => {
  const cwd = temporaryFolder(t)
  assert.equal((await timerq([...MICRO_RUN, '--rounds', '1', '--out', 'results'], { cwd })).code, 0)
  rmSync(path.join(cwd, 'results/report.md'))
  mkdirSync(path.join(cwd, 'results/report.md'))
  const { code, stdout, stderr } = await timerq(['run', '--resume', 'results'], { cwd })
  assert.equal(code, 4)
  assert.match(stdout, /ns\/op/)
  assert.match(
    stderr,
    /^timerq: cannot write results\/report\.md: EISDIR.* \(the results are there: timerq report results --out report\.md\)\n$/m
  )
  assert.doesNotMatch(stderr, /^report: /m)
})

/** @param {import('node:test').TestContext} t */
function smallDisk (t) {
  // Before the folder is removed: what is to be done after a test is done in this order.
  t.after(() => execFileSync('umount', ['--lazy', disk]))
  const folder = temporaryFolder(t)
  const disk = path.join(folder, 'disk')
  mkdirSync(disk)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=512k', 'none', disk])
  return { disk, folder }
}

/**
 * @param {string} file
 * @param {string} disk  To its last byte.
 */
function fill (file, disk) {
  const { bavail, bsize } = statfsSync(disk)
  for (let bytes = bavail * bsize; bytes >= KIB; bytes /= 2) {
    try {
      writeFileSync(file, Buffer.alloc(bytes), { flag: 'a' })
    } catch {
      // Half as much may still fit.
    }
  }
}
