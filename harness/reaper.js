/**
 * Ends the processes that another one has started, when that one is gone. It notices even a kill -9: its stdin is a pipe from
 * the other process, which the system closes then. What it is to end stands in the lines that came through: `+123` adds the
 * process group 123, `-123` removes it.
 *
 * A process could watch for this itself, but not while it is in an endless loop, and a watching thread would run beside what
 * is measured.
 */
import { createInterface } from 'node:readline'

/** @type {Set<string>} */
const groups = new Set()

createInterface({ input: process.stdin })
  .on('line', line => {
    const group = line.slice(1)
    if (line.startsWith('+')) groups.add(group)
    else groups.delete(group)
  })
  .once('close', () => {
    for (const group of groups) {
      try {
        process.kill(-Number(group), 'SIGKILL')
      } catch {
        // It has ended by itself.
      }
    }
  })
