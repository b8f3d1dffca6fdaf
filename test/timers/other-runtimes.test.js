/** Idle timeouts on Bun and Deno, where they are installed. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const PROGRAM = fileURLToPath(new URL('other-runtimes-program.js', import.meta.url))
const runtimes = [
  { runtime: process.execPath, args: [] },
  { runtime: 'bun', args: [] },
  { runtime: 'deno', args: ['run', '--allow-all'] }
]

// No machine needs Bun or Deno: `npm install bun deno` puts them on the PATH of npm's scripts.
for (const { runtime, args } of runtimes.filter(({ runtime }) => spawnSync(runtime, ['--version']).status === 0)) {
  test(`idle timeouts run on ${runtime === process.execPath ? 'Node' : runtime}`, () => {
    assert.equal(execFileSync(runtime, [...args, PROGRAM], { encoding: 'utf8', timeout: 60_000 }), 'first,second\n')
  })
}
