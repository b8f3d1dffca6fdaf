import { test } from 'node:test'
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { TIMERQ } from './timerq.js'

const QUEUE = fileURLToPath(new URL('../../bin/templates/my-queue.js', import.meta.url))

test('a queue is checked and measured again at every save, beside what it cost before', async t => {
  const cwd = temporaryFolder(t)
  const file = path.join(cwd, 'mine.mjs')
  copyFileSync(QUEUE, file)
  const watch = spawn(
    process.execPath,
    [TIMERQ, 'watch', './mine.mjs', '--scenario', 'start-cancel', '--size', '100'],
    { cwd, stdio: ['ignore', 'pipe', 'pipe'] }
  )
  t.after(() => watch.kill('SIGKILL'))
  let seen = ''
  const looks = createLooks()
  watch.stdout.setEncoding('utf8').on('data', text => {
    seen += text
  })
  watch.stderr.setEncoding('utf8').on('data', text => looks.read(text))
  watch.once('exit', () => looks.end())

  // The verdict comes before anything is measured; a save after it spoils this look.
  await once(watch.stdout, 'data')
  assert.match(seen, /^mine: no clause of the contract was seen to break\s*$/)
  writeFileSync(file, readFileSync(file, 'utf8') + '// saved early\n')
  await looks.ended(1)
  assert.match(looks.notes(), /saved while it was measured: this result is discarded\n/)
  assert.match(
    seen,
    /no clause of the contract was seen to break\s+mine: no clause of the contract was seen to break\s+workload/i
  )
  assert.match(seen, /start-cancel.*100 .* ns .*x .*-/)
  assert.match(seen, /intervals: \d heats? or more, coverage \d+ %/)

  seen = ''
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replace('export class', 'export klass'))
  await looks.ended(2)
  assert.match(looks.notes(), /timerq: .*mine\.mjs/)

  seen = ''
  writeFileSync(file, text + '// saved\n')
  await looks.ended(3)
  // Compared with the last look that measured something: the same work.
  const [, work, before] = /x \([^)]*\) +([\d.]+) +([\d.]+) *$/m.exec(seen) ?? []
  assert.ok(Number(work) > 0, seen)
  assert.equal(work, before)

  watch.kill('SIGINT')
  const [code] = await once(watch, 'exit')
  assert.equal(code, 130)
})

/** Counts the looks that ended. */
function createLooks () {
  let text = ''
  let isOver = false
  /** @type {(() => void)[]} */
  const waiting = []
  const count = () => text.split('waiting for the next save').length - 1
  return {
    notes: () => text,
    /** @param {string} more */
    read (more) {
      text += more
      for (const check of waiting.splice(0)) check()
    },
    end () {
      isOver = true
      for (const check of waiting.splice(0)) check()
    },
    /** @param {number} wanted */
    async ended (wanted) {
      while (count() < wanted) {
        assert.ok(!isOver, `watch ended by itself: ${text}`)
        await new Promise(resolve => waiting.push(() => resolve(undefined)))
      }
    }
  }
}
