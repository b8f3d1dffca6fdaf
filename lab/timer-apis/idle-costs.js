#!/usr/bin/env node
/**
 * Costs of idle timeouts that no mean of operations shows, each in a separate process: the longest of a million adds,
 * and how often one idle connection wakes the process (Linux: voluntary context switches).
 *
 *     node lab/timer-apis/idle-costs.js [another/index.js]
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'

const OWN = fileURLToPath(new URL('../../timers/index.js', import.meta.url))
const ITEMS = 1_000_000
const AWAKE_SECONDS = 10
const WAKES = [
  { resolution: undefined, kind: 'none' },
  { resolution: 1000, kind: 'idle' },
  { resolution: 100, kind: 'idle' },
  { resolution: 10, kind: 'idle' }
]

const [first, ...others] = process.argv.slice(2)
if (first === '--one') await measure(JSON.parse(others[0]))
else {
  const adds = Array.from({ length: 3 }, () => ({ kind: 'add' }))
  for (const what of [...adds, ...WAKES]) print({ ...what, file: path.resolve(first ?? OWN) })
}

/** @param {object} what */
function print (what) {
  const args = [fileURLToPath(import.meta.url), '--one', JSON.stringify(what)]
  process.stdout.write(execFileSync(process.execPath, args, { encoding: 'utf8' }))
}

/** @param {{kind: string, resolution?: number, file: string}} what */
async function measure ({ kind, resolution, file }) {
  const { IdleTimeouts } = await import(pathToFileURL(file).href)
  if (kind === 'add') return measureAdds(new IdleTimeouts({ timeout: 120_000, onIdle () {} }))
  const idle = new IdleTimeouts({ timeout: 60_000, onIdle () {}, ...(resolution && { resolution }) })
  if (kind === 'idle') idle.add({})
  await sleep(500)
  const before = switches()
  await sleep(1000 * AWAKE_SECONDS)
  const perSecond = (switches() - before) / AWAKE_SECONDS
  console.log(`wake-ups a second, ${kind === 'none' ? 'nothing pending' : `resolution ${resolution}`}: ${perSecond}`)
  process.exit()
}

/** @param {import('../../timers/index.js').IdleTimeouts<number>} idle */
function measureAdds (idle) {
  const handles = new Array(ITEMS)
  const longest = { ms: 0, item: 0 }
  const start = performance.now()
  let last = start
  for (let item = 0; item < ITEMS; item++) {
    handles[item] = idle.add(item)
    const now = performance.now()
    if (now - last > longest.ms) Object.assign(longest, { ms: now - last, item })
    last = now
  }
  console.log(
    `longest of ${ITEMS} adds: ${longest.ms.toFixed(1)} ms, the ${longest.item}th; all: ${(last - start).toFixed(0)} ms`
  )
  process.exit()
}

function switches () {
  return Number(/voluntary_ctxt_switches:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1])
}
