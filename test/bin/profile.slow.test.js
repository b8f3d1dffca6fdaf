/** `timerq profile` of queues, with every tool. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { timerq, words } from './timerq.js'

const SHORT = words`--seconds 1 --connections 20 --load autocannon`

test('queues are ranked by their share of the CPU, with profile, heavy profile, flame graph and ' +
  'difference', async t => {
  const cwd = temporaryFolder(t)
  const { code, stdout, stderr } = await timerq(
    words`profile --queue sorted-list,unsorted-array --against unsorted-array --out here ${SHORT}`,
    { cwd }
  )
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^Queue shares of busy CPU: keep-alive, connections 20, threads 2, seconds 1\n/)
  assert.match(stdout, /^sorted-list +[\d.]+ % +[\d.]+ % +[\d.]+ % +[\d.]+ % +[+-][\d.]+ pt +[\d.]+ %$/m)
  assert.match(stdout, /sorted-list: its heaviest functions\n {2}ticks of CPU {2}name\n/)
  assert.ok(stdout.split('\n').every(line => line.length <= 80 || /node:|warning/.test(line)))
  assert.match(
    stderr,
    /profiles: here\/profiles\nthe difference to \S+ is drawn in here\/profiles\/.*sorted-list.*\.difference\.html\n/
  )
  const files = readdirSync(path.join(cwd, 'here', 'profiles'))
  assert.deepEqual(
    files.map(file => file.replace(/^.*seconds=1_/, '').replace(/_v\d+\.\d+\.\d+/, '')),
    [
      'sorted-list.cpuprofile',
      'sorted-list.difference.html',
      'sorted-list.flame.html',
      'sorted-list.heavy.txt',
      'unsorted-array.cpuprofile',
      'unsorted-array.flame.html',
      'unsorted-array.heavy.txt'
    ]
  )
  const heavy = /** @type {string} */ (files.find(file => file.endsWith('.heavy.txt')))
  assert.match(readFileSync(path.join(cwd, 'here', 'profiles', heavy), 'utf8'), /\[Bottom up \(heavy\) profile\]/)

  const compared = await timerq('compare here --queue unsorted-array,sorted-list --profiles', { cwd })
  assert.equal(compared.code, 4, 'profiles hold no times to judge')
  assert.match(compared.stderr, /^the difference is drawn in here\/profiles\/.*sorted-list.*\.difference\.html\n$/)

  const cut = path.join(
    cwd,
    'here',
    'profiles',
    /** @type {string} */ (files.find(file => /unsorted-array.*\.cpuprofile$/.test(file)))
  )
  writeFileSync(cut, readFileSync(cut, 'utf8').slice(0, 1000))
  const later = await timerq(words`profile --queue unsorted-array --against here --out later ${SHORT}`, { cwd })
  assert.equal(later.code, 2)
  assert.match(later.stderr, /^timerq: here\/profiles\/.*unsorted-array.*\.cpuprofile/m)
  assert.match(
    later.stdout,
    /^Queue shares of busy CPU: [^]*unsorted-array: its heaviest functions\n/,
    'a drawing that fails does not cost the tables'
  )

  const report = await timerq('report here --out report.md', { cwd })
  assert.equal(report.code, 2)
  assert.match(report.stderr, /\ntimerq: .*unsorted-array.*\.cpuprofile.* \(the report is there without it\)\n$/)
  const text = readFileSync(path.join(cwd, 'report.md'), 'utf8')
  assert.match(text, /### keep-alive, [^]*\| sorted-list +\|/)
  assert.match(text, /- \[sorted-list on keep-alive.*: flame graph\]\(<here\/profiles\/.*\.flame\.html>\)\n/)
})
