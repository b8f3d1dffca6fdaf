#!/usr/bin/env node
import { openFilesLimit, RESERVE } from '../harness/processes/open-files.js'
import { reportCrashes } from './crash.js'

const { stdout, stderr } = process
reportCrashes({ stdout, stderr, isVerbose: process.argv.includes('--verbose') })
if (openFilesLimit() < RESERVE) {
  // Loading more modules would fail with misleading errors.
  stderr.write(
    `timerq: the limit of open files must be at least ${RESERVE}, got ${openFilesLimit()} (run "ulimit -n 1024" ` +
      'first)\n'
  )
  process.exitCode = 2
} else {
  const { main } = await import('./main.js')
  process.exitCode = await main(process.argv.slice(2), { stdout, stderr })
}
