#!/usr/bin/env node
import { existsSync } from 'node:fs'
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
const obstacle = findObstacle()
if (obstacle) {
  // Loading more modules, or measuring first, would end in misleading errors.
  stderr.write(`timerq: ${obstacle}\n`)
  process.exitCode = 2
} else {
  const { main } = await import('./main.js')
  process.exitCode = await main(argv.slice(2), { stdout, stderr })
}

/** @returns {string | undefined} why nothing can run here */
function findObstacle () {
  if (openFilesLimit() < RESERVE) {
    return `the limit of open files must be at least ${RESERVE}, got ${openFilesLimit()} (run "ulimit -n 1024" first)`
  }
  const cwd = process.cwd()
  if (!existsSync(cwd)) return `no file in ${cwd} can be found: rename the folder, the bytes of its name are not UTF-8`
  const flag = '--disallow-code-generation-from-strings'
  if (![...process.execArgv, process.env.NODE_OPTIONS].some(words => words?.includes(flag))) return undefined
  return `leave ${flag} out of NODE_OPTIONS: timerq compiles the schemas of its files`
}
