/**
 * Counts the files and lines of timerq that a command loads, by process: the runner, and each kind of child.
 *
 *     node lab/loaded-files.js run --scenario refresh-one-duration --size 1000 --rounds 2 --queue
 *     lazy-wheel,duration-lists
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = new URL('..', import.meta.url)
const folder = mkdtempSync(path.join(os.tmpdir(), 'timerq-loaded-'))
try {
  execFileSync(
    process.execPath,
    [fileURLToPath(new URL('bin/timerq.js', ROOT)), ...process.argv.slice(2), '--out', path.join(folder, 'results')],
    {
      env: { ...process.env, NODE_V8_COVERAGE: path.join(folder, 'coverage') },
      stdio: 'ignore'
    }
  )
  for (const name of readdirSync(path.join(folder, 'coverage'))) {
    const { result } = JSON.parse(readFileSync(path.join(folder, 'coverage', name), 'utf8'))
    const ours = result
      .map((/** @type {{url: string}} */ { url }) => url)
      .filter((/** @type {string} */ url) => url.startsWith(ROOT.href) && !url.includes('/node_modules/'))
    if (ours.length === 0) continue
    const lines = ours.reduce(
      (/** @type {number} */ sum, /** @type {string} */ url) =>
        sum + readFileSync(new URL(url), 'utf8').split('\n').length - 1,
      0
    )
    const entry = ours.find((/** @type {string} */ url) => /timerq\.js$|child\.js$|server\.js$/.test(url))
    console.log(
      `${String(ours.length).padStart(4)} files ${String(lines).padStart(6)} lines  ${entry?.slice(ROOT.href.length)}`
    )
  }
} finally {
  rmSync(folder, { recursive: true })
}
