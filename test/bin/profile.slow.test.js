/** `timerq profile` of queues. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { timerq, words } from './timerq.js'

const SHORT = words`--seconds 1 --sweep connections=20`

test('queues are ranked by their share of the CPU, with profile and heavy profile', async t => {
  const cwd = temporaryFolder(t)
  const { code, stdout, stderr } = await timerq(
    words`profile --queue sorted-list,unsorted-array --out here ${SHORT}`,
    { cwd }
  )
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^keep-alive, connections 20, threads 2, seconds 1, Node .*\nQueue shares of busy CPU, lowest first\n/)
  assert.match(stdout, /^sorted-list +[\d.]+ % +[\d.]+ % +[\d.]+ % +[\d.]+ % +[+-][\d.]+ pt +[\d.]+ %$/m)
  assert.match(stdout, /sorted-list: its heaviest functions\n {4}ticks of CPU {2}name\n/)
  assert.ok(stdout.split('\n').every(line => line.length <= 80 || /node:|warning/.test(line)))
  assert.match(stderr, /profiles: here\/profiles\n/)
  assert.equal((await timerq('report here', { cwd })).stdout, stdout)
  const files = readdirSync(path.join(cwd, 'here', 'profiles'))
  assert.deepEqual(
    files.map(file => file.replace(/^.*seconds=1_/, '').replace(/_v\d+\.\d+\.\d+/, '')),
    [
      'sorted-list.cpuprofile',
      'sorted-list.heavy.txt',
      'unsorted-array.cpuprofile',
      'unsorted-array.heavy.txt'
    ]
  )
  const heavy = /** @type {string} */ (files.find(file => file.endsWith('.heavy.txt')))
  assert.match(readFileSync(path.join(cwd, 'here', 'profiles', heavy), 'utf8'), /\[Bottom up \(heavy\) profile\]/)

  const cut = path.join(cwd, 'here', 'profiles', files[2])
  writeFileSync(cut, readFileSync(cut, 'utf8').slice(0, 1000))
  const report = await timerq('report here --out report.md', { cwd })
  assert.equal(report.code, 2)
  assert.match(report.stderr, /\ntimerq: .*unsorted-array.*\.cpuprofile.* \(the report is there without it\)\n$/)
  const text = readFileSync(path.join(cwd, 'report.md'), 'utf8')
  assert.match(text, /### keep-alive, [^]*\| sorted-list +\|/)
  assert.match(text, /- \[sorted-list on keep-alive.*: heavy profile\]\(<here\/profiles\/.*\.heavy\.txt>\)\n/)
})
