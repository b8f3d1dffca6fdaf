/** Machines that lack open files, ports or /proc, or whose clock is set back. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { words } from '../bin/timerq.js'
import { skipUnless } from '../needs.js'
import {
  assertFaultless,
  faultsOf,
  MICRO_RUN,
  orphansIn,
  SMALL_RUN,
  unlessPermitted,
  WatchedRun
} from './watched-run.js'

/** A separate network with two free ports. */
const TWO_PORTS = [
  ...words`unshare --net /bin/sh -c`,
  'echo "40000 40001" > /proc/sys/net/ipv4/ip_local_port_range && exec "$@"'
]
const skip = {
  network: unlessPermitted('to make a network', [...TWO_PORTS, 'sh', 'true']),
  mount: unlessPermitted('to mount over /proc', ['unshare', '--mount', 'mount', '-t', 'tmpfs', 'none', '/proc'])
}

/** @param {number} files */
const limited = files => ['/bin/sh', '-c', `ulimit -n ${files}; exec "$@"`, 'sh']
const SERVER = words`run --queue binary-heap,node --preset ci --rounds 1`

test('too few open files for timerq are one line beforehand, with the remedy', async t => {
  const run = new WatchedRun(t, MICRO_RUN, { prefix: limited(64) })
  await run.ends(2, /^timerq: .*the limit of open files must be at least 100, got 64 \(run "ulimit -n 1024" first\)\n$/)
  assert.ok(!existsSync(run.out))
})

test('as many open files as the remedy says are enough', async t => {
  const args = [...SERVER, '--scenario', 'idle-sockets', '--sweep', 'idle=300']
  const refused = new WatchedRun(t, args, { prefix: limited(150) })
  assert.equal(await refused.end(), 2)
  const [, files] = /^timerq: \d+ connections of idle-sockets need .*: run "ulimit -n (\d+)" first.*\n$/.exec(refused.stderr) ?? []
  assert.ok(!existsSync(refused.out))
  const run = new WatchedRun(t, args, { prefix: limited(Number(files)) })
  await run.end()
  // On a loaded machine a short heat may fail for want of time, never for want of files.
  assert.deepEqual(
    faultsOf(run.samples()).filter(fault => !/no request reached the server/.test(fault)),
    []
  )
  assert.ok(run.samples().length > 0, run.stderr)
})

test('where no port is free, a run says so in one line, and measures nothing', { skip: skip.network }, async t => {
  const folder = temporaryFolder(t)
  const preload = path.join(folder, 'hold-ports.mjs')
  writeFileSync(
    preload,
    `
    import { createServer } from 'node:net'
    import { once } from 'node:events'
    for (let isFree = true; isFree;) {
      const server = createServer().on('error', () => { isFree = false }).unref()
      server.listen(0, '127.0.0.1')
      await Promise.race([once(server, 'listening'), once(server, 'error')]).catch(() => {})
    }`
  )
  const run = new WatchedRun(t, SMALL_RUN, {
    folder,
    prefix: [...TWO_PORTS, 'sh'],
    env: { ...process.env, NODE_OPTIONS: `--import=${pathToFileURL(preload)}` }
  })
  await run.ends(2, /^timerq: no port of 127\.0\.0\.1 is free for a server \(EADDRINUSE\): .*\n$/)
  assert.ok(!existsSync(run.out))
})

test(
  'servers of one heat have ports of their own, from --port on, and listen on 127.0.0.1 only',
  { skip: skipUnless(existsSync('/proc/net/tcp'), 'needs /proc (Linux has it)') },
  async t => {
    const run = new WatchedRun(t, [...SERVER, '--scenario', 'idle-sockets', '--sweep', 'idle=0'])
    /** @type {Set<string>} */
    const seen = new Set()
    let most = 0
    while (!run.hasEnded) {
      const listening = run.processes().flatMap(({ pid }) => listeningSockets(pid))
      most = Math.max(most, listening.length)
      for (const address of listening) seen.add(address.split(':')[0])
      await new Promise(resolve => setTimeout(resolve, 50))
    }
    await assertFaultless(run)
    assert.ok(most >= 2, 'both servers of a heat were seen')
    // 127.0.0.1 as the kernel writes it.
    assert.deepEqual([...seen], ['0100007F'])
  }
)

test(
  'without /proc a run measures as well, and a second one on its directory is refused',
  { skip: skip.mount },
  async t => {
    const prefix = ['unshare', '--mount', '/bin/sh', '-c', 'mount -t tmpfs none /proc && exec "$@"', 'sh']
    const run = new WatchedRun(t, SMALL_RUN, { prefix })
    await assertFaultless(run)
    assert.deepEqual(await orphansIn(run.folder), [])
    const again = new WatchedRun(t, SMALL_RUN, { prefix, folder: run.folder })
    assert.equal(await again.end(), 2)
  }
)

test('a clock that is set back during a run does no harm: durations come from a monotonic one', async t => {
  const folder = temporaryFolder(t)
  const preload = path.join(folder, 'set-back.mjs')
  // Every look at the date is a minute before the one before it.
  writeFileSync(
    preload,
    `
    const RealDate = Date
    let back = 0
    const now = () => RealDate.UTC(2026, 0, 1) - 60_000 * back++
    globalThis.Date = class extends RealDate {
      constructor (...args) { super(...(args.length === 0 ? [now()] : args)) }
      static now () { return now() }
    }`
  )
  const run = new WatchedRun(t, SMALL_RUN, {
    folder,
    env: { ...process.env, NODE_OPTIONS: `--import=${pathToFileURL(preload)}` }
  })
  await run.end()
  // autocannon, which loads where there is no wrk, goes by the date: its samples fail, and give no false figure.
  assert.deepEqual(
    faultsOf(run.samples()).filter(fault => !/autocannon printed no result/.test(fault)),
    []
  )
  assert.ok(run.samples().length > 0, run.stderr)
  for (const { seconds } of run.samples()) assert.ok(seconds > 0 && seconds < 600, `${seconds} s`)
})

/**
 * @param {number} pid
 * @returns {string[]} addresses, in hexadecimal: 0100007F:1F90
 */
function listeningSockets (pid) {
  try {
    const open = new Set(
      readdirSync(`/proc/${pid}/fd`).map(fd => {
        try {
          return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1]
        } catch {
          return undefined
        }
      })
    )
    return ['tcp', 'tcp6']
      .flatMap(kind => readFileSync(`/proc/${pid}/net/${kind}`, 'utf8').split('\n').slice(1))
      .flatMap(line => {
        const [, local, , state, , , , , , inode] = line.trim().split(/\s+/)
        return state === '0A' && open.has(inode) ? [local] : []
      })
  } catch {
    return []
  }
}
