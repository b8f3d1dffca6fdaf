/** A user's server, from its folder to the verdict. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { readSummary } from '../../bin/index.js'
import { checkWith } from '../../harness/store/json.js'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { timerq, words } from './timerq.js'

const SERVER =
  "console.log('ready'); require('node:http').createServer((request, response) => response.end('x')).listen(3000)"

test('a server is tried as it is; its run can be read, reported and continued only by its name', async t => {
  const cwd = temporaryFolder(t)
  writeFileSync(path.join(cwd, 'server.js'), SERVER)
  const tried = await timerq(
    words`try --rounds 1 --connections 10 --seed 1 --json --out tried -- ${process.execPath} server.js`,
    { cwd }
  )
  // One heat decides nothing.
  assert.equal(tried.code, 3, tried.stderr)
  const summary = tried.json
  checkWith('summary')(summary, 'summary')
  assert.deepEqual(
    [summary.worth.verdict, summary.worth.best.queue, summary.worth.control, summary.worth.usesTimers],
    ['unclear', 'timerq-timers', 'node', true]
  )
  assert.deepEqual(readdirSync(cwd).sort(), ['server.js', 'tried'])
  assert.deepEqual(readSummary(path.join(cwd, 'tried')).worth, summary.worth)
  assert.match(
    readFileSync(path.join(cwd, 'tried/report.md'), 'utf8'),
    /Unclear: one heat of timerq-timers is too few to tell/
  )

  const resumed = await timerq(words`try --resume tried --json -- ${process.execPath} server.js`, { cwd })
  assert.deepEqual([resumed.code, resumed.json.worth], [3, summary.worth], resumed.stderr)
})
