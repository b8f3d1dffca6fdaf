/** Shards on other machines, over ssh. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { readResults } from '../../harness/store/results.js'
import { ROOT } from '../action/dry-run.js'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { needs } from '../needs.js'
import { freePorts } from '../ports.js'

const QUEUES = '--queue binary-heap,duration-lists'
const OPTIONS = '--preset ci --rounds 1 --scenario refresh-one-duration --size 10,20 --seed 5'
const TIMERQ = `${process.execPath} ${path.join(ROOT, 'bin/timerq.js')}`

/**
 * An SSH server of our own, for us alone, and how to reach it.
 *
 * @param {import('node:test').TestContext} t
 * @param {string} folder
 */
async function startSsh (t, folder) {
  const file = (/** @type {string} */ name) => path.join(folder, name)
  for (const name of ['host', 'user']) execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file(name)])
  const port = await freePorts(1)
  writeFileSync(
    file('sshd_config'),
    [
      `Port ${port}`,
      'ListenAddress 127.0.0.1',
      `HostKey ${file('host')}`,
      `AuthorizedKeysFile ${file('user.pub')}`,
      'StrictModes no',
      'UsePAM no',
      'PasswordAuthentication no',
      'KbdInteractiveAuthentication no',
      'PermitRootLogin prohibit-password',
      `PidFile ${file('pid')}`,
      ''
    ].join('\n')
  )
  writeFileSync(
    file('ssh_config'),
    [
      'Host a b',
      '  HostName 127.0.0.1',
      `  Port ${port}`,
      `  User ${os.userInfo().username}`,
      `  IdentityFile ${file('user')}`,
      '  IdentitiesOnly yes',
      '  BatchMode yes',
      '  StrictHostKeyChecking no',
      `  UserKnownHostsFile ${file('known_hosts')}`,
      '  LogLevel ERROR',
      ''
    ].join('\n')
  )
  // sshd needs this folder for privilege separation, and does not make it.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 })
  const program = ['/usr/sbin/sshd', '/usr/bin/sshd', '/usr/local/sbin/sshd'].find(
    file => spawnSync('test', ['-x', file]).status === 0
  )
  const sshd = spawn(String(program), ['-D', '-e', '-f', file('sshd_config')], { stdio: ['ignore', 'ignore', 'pipe'] })
  t.after(() => sshd.kill())
  let log = ''
  sshd.stderr.setEncoding('utf8')
  for await (const text of sshd.stderr) {
    log += text
    if (log.includes('Server listening')) break
  }
  assert.match(log, /Server listening/)
  return `ssh -F ${file('ssh_config')}`
}

test(
  'shards are measured over ssh by GNU parallel, and merged; called again, nothing is measured twice',
  { skip: needs('parallel') || needs('sshd') },
  async t => {
    const [keys, folder, cwd] = [temporaryFolder(t), temporaryFolder(t), temporaryFolder(t)]
    const env = { ...process.env, FOLDER: folder, TIMERQ, QUEUES, OPTIONS, SSH: await startSsh(t, keys) }
    const hosts = (/** @type {string} */ cwd) =>
      spawnSync('bash', [path.join(ROOT, 'docs/machines/hosts.sh'), 'a', 'b'], { cwd, env, encoding: 'utf8' })
    const { status, stderr } = hosts(cwd)
    assert.equal(status, 0, stderr)
    const {
      run: { parts, plan },
      samples
    } = readResults(path.join(cwd, 'results/whole'))
    assert.deepEqual(
      parts?.map(({ directory, cells }) => [directory, cells?.length]),
      [
        ['results/shard-1', 2],
        ['results/shard-2', 2]
      ]
    )
    assert.deepEqual([plan.cells.length, samples.length], [4, 8])

    const again = temporaryFolder(t)
    const second = hosts(again)
    assert.equal(second.status, 0, second.stderr)
    // A merged run has a new id, which its samples carry.
    const withoutRun = (/** @type {import('../../harness/store/results.js').Sample[]} */ all) =>
      all.map(sample => ({ ...sample, run: null }))
    assert.deepEqual(withoutRun([...readResults(path.join(again, 'results/whole')).samples]), withoutRun([...samples]))
  }
)
