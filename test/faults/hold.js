/**
 * Loaded into every process of a watched run (see watched-run.js): the one that TIMERQ_TEST_HOLD describes stops the
 * process that has started it. The command then stands still in the middle of its work, however fast the machine is.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const { at, samples, after, folder } = JSON.parse(String(process.env.TIMERQ_TEST_HOLD))
const kept = existsSync(samples) ? readFileSync(samples, 'utf8').split('\n').length - 1 : 0

if (new RegExp(at).test([...process.execArgv, ...process.argv].join(' ')) && kept >= after && isFirst()) {
  process.kill(process.ppid, 'SIGSTOP')
  const file = path.join(folder, 'held.json')
  writeFileSync(`${file}.new`, JSON.stringify({ stopped: process.ppid, starting: process.pid }))
  renameSync(`${file}.new`, file)
}

/** @returns {boolean} whether no process has matched before */
function isFirst () {
  try {
    mkdirSync(path.join(folder, 'match'))
    return true
  } catch {
    return false
  }
}
