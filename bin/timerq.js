#!/usr/bin/env node
import { openFilesLimit, RESERVE } from '../harness/processes/open-files.js'
import { reportCrashes } from './crash.js'

const { stdout, stderr } = process
reportCrashes({ stdout, stderr, isVerbose: process.argv.includes('--verbose') })
if (openFilesLimit() < RESERVE) {
  // Modules would be missing, with errors that say something else.
  stderr.write(`timerq: it needs at least ${RESERVE} open files, but the limit is ${openFilesLimit()}: run "ulimit -n 1024" first\n`)
  process.exitCode = 2
} else {
  const { main } = await import('./main.js')
  process.exitCode = await main(process.argv.slice(2), { stdout, stderr })
}
