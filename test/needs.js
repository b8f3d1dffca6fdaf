/** Programs that tests need. */
import { accessSync, constants, statSync } from 'node:fs'
import path from 'node:path'

/** How to get the programs that some tests need and not every machine has. */
const REMEDIES = {
  wrk: 'apt-get install wrk, or brew install wrk',
  bash: 'apt-get install bash, or brew install bash',
  zsh: 'apt-get install zsh, or brew install zsh',
  fish: 'apt-get install fish, or brew install fish',
  parallel: 'apt-get install parallel',
  gcc: 'apt-get install gcc libc6-dev',
  wine: 'apt-get install wine wine64',
  chromium: 'apt-get install chromium, or set CHROMIUM to the path of a Chromium or Chrome'
}

/** The browser to test with: CHROMIUM, or the first of the usual names on the PATH. */
export const CHROMIUM =
  process.env.CHROMIUM ?? ['chromium', 'chromium-browser', 'google-chrome'].map(onPath).find(Boolean)

const found = {
  wrk: onPath('wrk'),
  bash: onPath('bash'),
  zsh: onPath('zsh'),
  fish: onPath('fish'),
  parallel: onPath('parallel'),
  gcc: onPath('gcc'),
  wine: onPath('wine'),
  chromium: CHROMIUM !== undefined && isExecutable(CHROMIUM)
}

/**
 * For a test's `skip`: the reason where the program is missing. With CI=true, as in .ci/run, nothing is skipped, so
 * that a test whose program is missing fails.
 *
 * @param {keyof typeof REMEDIES} program
 */
export const needs = program => skipUnless(found[program], `needs ${program} (${REMEDIES[program]})`)

/**
 * @param {unknown} condition
 * @param {string} reason  What to install or change.
 * @returns {string | false}
 */
export const skipUnless = (condition, reason) => process.env.CI !== 'true' && !condition && reason

/** @param {string} program */
function onPath (program) {
  return (process.env.PATH ?? '')
    .split(path.delimiter)
    .map(folder => path.join(folder, program))
    .find(isExecutable)
}

/** @param {string} file */
function isExecutable (file) {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
