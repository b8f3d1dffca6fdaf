/** Shards by the script of the manual. An ssh of our own runs each command as a login on another machine would. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { readResults } from '../../harness/store/results.js'
import { ROOT } from '../action/dry-run.js'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { needs } from '../needs.js'

const TIMERQ = `${process.execPath} ${path.join(ROOT, 'bin/timerq.js')}`
/** Like sshd: the words are one line for a shell, in the home folder, with nothing of this environment. */
const SSH = '#!/bin/sh\nshift\ncd /\nexec env -i PATH="$PATH" HOME=/ sh -c "$*"\n'

/**
 * @param {string} cwd
 * @param {string[]} hosts
 * @param {Record<string, string>} env
 */
function measureOn (cwd, hosts, env) {
  const ssh = path.join(cwd, 'ssh')
  writeFileSync(ssh, SSH, { mode: 0o755 })
  return spawnSync('bash', [path.join(ROOT, 'docs/machines/hosts.sh'), ...hosts], {
    cwd,
    env: { ...process.env, SSH: ssh, ...env },
    encoding: 'utf8'
  })
}

test(
  'shards are measured by GNU parallel, and merged; called again, nothing is measured twice',
  { skip: needs('parallel') },
  t => {
    const folder = temporaryFolder(t)
    const [whole, again] = [temporaryFolder(t), temporaryFolder(t)].map(cwd => {
      const { status, stderr } = measureOn(cwd, ['a', 'b'], {
        FOLDER: folder,
        TIMERQ,
        QUEUES: '--queue binary-heap,duration-lists',
        OPTIONS: '--preset ci --rounds 1 --scenario refresh-one-duration --size 10,20 --seed 5'
      })
      assert.equal(status, 0, stderr)
      return readResults(path.join(cwd, 'results/whole'))
    })
    const { run: { parts, plan }, samples } = whole
    assert.deepEqual(
      parts?.map(({ directory, cells }) => [directory, cells?.length]),
      [
        ['results/shard-1', 2],
        ['results/shard-2', 2]
      ]
    )
    assert.deepEqual([plan.cells.length, samples.length], [4, 8])
    // A merged run has a new id, which its samples carry.
    const withoutRun = (/** @type {import('../../harness/store/results.js').Results} */ { samples }) =>
      [...samples].map(sample => ({ ...sample, run: null }))
    assert.deepEqual(withoutRun(again), withoutRun(whole))
  }
)

test(
  'a shard that was stopped is continued with the queues of the user, which would be refused otherwise',
  { skip: needs('parallel') },
  t => {
    const [folder, cwd] = [temporaryFolder(t), temporaryFolder(t)]
    mkdirSync(path.join(folder, 'results/shard-1'), { recursive: true })
    writeFileSync(path.join(folder, 'results/shard-1/run.json'), '{}')
    const echo = { FOLDER: folder, TIMERQ: 'echo', QUEUES: '--queue ./mine.js', OPTIONS: '--seed 5' }
    const { status, stdout, stderr } = measureOn(cwd, ['a'], echo)
    assert.equal(status, 0, stderr)
    assert.match(stdout, /^a\s.*run --resume results\/shard-1 --queue \.\/mine\.js$/m)
  }
)
