#!/usr/bin/env node
import { openFilesLimit, RESERVE } from '../harness/processes/open-files.js'
import { BISECT, reportCrashes } from './crash.js'

const { stdout, stderr, argv } = process
const isBisect = argv.slice(0, argv.indexOf('--', 2) >>> 0).includes('--bisect')
if (isBisect) {
  process.on('exit', code => {
    if (code > 1 && code < BISECT.skip) process.exitCode = code === 2 ? BISECT.stop : BISECT.skip
  })
}
reportCrashes({ stdout, stderr, isVerbose: argv.includes('--verbose') })
if (openFilesLimit() < RESERVE) {
  // Loading more modules would fail with misleading errors.
  stderr.write(
    `timerq: the limit of open files must be at least ${RESERVE}, got ${openFilesLimit()} (run "ulimit -n 1024" ` +
      'first)\n'
  )
  process.exitCode = 2
} else {
  const { main } = await import('./main.js')
  process.exitCode = await main(argv.slice(2), { stdout, stderr })
}
