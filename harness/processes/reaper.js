/**
 * Ends the processes that another process has started, when that one is gone, even by a kill -9: stdin is a pipe from
 * the other process, which the system closes then. Lines from the pipe name the processes: `+123` adds process 123 with
 * all that it has started, `-123` removes it; `+/tmp/x` adds a folder, which is removed. The reaper also ends any
 * process that has left its group, but has the variable of the arguments in its environment (Linux).
 *
 * A process could watch its parent itself, but not while it is in an endless loop, and a watching thread would
 * disturb the measurement.
 */
import { rmSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { processesWith } from './proc-stat.js'
import { signalProcess } from './signal.js'
import { endTree } from './system.js'

const [name, value] = process.argv.slice(2)
/** @type {Set<string>} */
const left = new Set()

createInterface({ input: process.stdin })
  .on('line', line => {
    if (line.startsWith('+')) left.add(line.slice(1))
    else left.delete(line.slice(1))
  })
  .once('close', async () => {
    await Promise.all([...left].map(Number).filter(pid => pid > 0).map(endTree))
    for (const pid of processesWith(`${name}=${value}`)) signalProcess(pid, 'SIGKILL')
    for (const folder of left) {
      // Windows removes no file of a process that is not quite gone.
      if (path.isAbsolute(folder)) rmSync(folder, { recursive: true, force: true, maxRetries: 9 })
    }
  })
