/** Reports of the recorded results: each says what its command said, in every format. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { planTry } from '../../bin/plans/program.js'
import { planRecommend, planRun } from '../../bin/plans/run.js'
import { requestAgain } from '../../bin/request/again.js'
import { parse } from '../../bin/request/request.js'
import { readResults } from '../../harness/index.js'
import { formats, gateReports } from '../../reports/formats.js'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { timerqHere } from './timerq.js'

const cwd = fileURLToPath(new URL('../../', import.meta.url))
const RECORDED = 'docs/recorded'

/** Answers, read in the commands' own output, by directory. */
const ANSWERS = {
  run: /^Take lazy-wheel: at worst 1\.07 times as slow as the fastest/,
  try: /^Unclear so far: timerq-timers takes 1\.4 % to 3\.3 % less CPU/,
  recommend: /^Not worth changing: no queue would save 1 % of one core/,
  gate: /^1 of 2 cells: parse on cookies: 14\.7 % slower/,
  'gate-server': /^1 of 1 cell: node on server\.js, connections 100: 17\.5 % more CPU/,
  unclear: /^1 of 2 cells unclear/,
  untouched: /^no task runs code that changed/,
  touched: /^1 of 3 tasks runs code that changed, none is slower/,
  unmeasured: /^base and head ask for other packages .*; no task runs code that changed$/,
  shared: /^no task runs code that changed; both sides ran \.\.\/dates, outside of the repository, unchanged since HEAD/,
  'gain/first': /^format on format, sizes 1 000: faster by 13\.6 %/,
  'gain/confirmed': /^format on format, sizes 1 000: faster by 13\.8 %/
}
/** Verdicts of gates. */
const VERDICTS = {
  gate: 'regression',
  'gate-server': 'regression',
  unclear: 'inconclusive',
  untouched: 'pass',
  touched: 'pass',
  unmeasured: 'inconclusive',
  shared: 'pass'
}

/** @type {(directory: string, format: string) => ReturnType<typeof timerqHere>} */
const report = (directory, format) => timerqHere(['report', `${RECORDED}/${directory}`, '--format', format], { cwd })

/** @param {string} text  Of any format, without its marks. */
const plain = text =>
  text
    .replaceAll(/<[^>]+>|[*`\\\u2060]/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll(/[\s\u00a0]+/g, ' ')
    .toLowerCase()

test('every recorded directory is known here', () => {
  const found = readdirSync(path.join(cwd, RECORDED), { recursive: true, encoding: 'utf8' })
  const directories = found.filter(name => path.basename(name) === 'run.json').map(name => path.dirname(name))
  assert.deepEqual(directories.map(name => name.replaceAll(path.sep, '/')).sort(), Object.keys(ANSWERS).sort())
})

for (const [directory, expected] of Object.entries(ANSWERS)) {
  test(`the report of ${directory} gives the answer of its command in every format`, async () => {
    const { verdict, answer } = (await report(directory, 'json')).json
    assert.match(answer.text, expected)
    if (directory in VERDICTS) assert.equal(verdict, VERDICTS[/** @type {'gate'} */ (directory)])
    for (const format of Object.keys(formats)) {
      const { code, stdout, stderr } = await report(directory, format)
      assert.equal(code, 0, stderr)
      if (format === 'csv') {
        const [titles, ...lines] = stdout.trimEnd().split('\n').map(line => line.split(','))
        const keys = lines.map(line => line.slice(0, titles.indexOf('metric') + 1).join())
        assert.equal(new Set(keys).size, keys.length, 'each line has its own place')
      } else if (['terminal', 'markdown', 'html'].includes(format)) {
        // A gate's next command is a note.
        const next = answer.reasons && answer.next ? [`Next: ${answer.next.command}`] : []
        for (const part of [answer.text, ...(answer.reasons ?? []), ...next]) {
          assert.ok(plain(stdout).includes(plain(part)), `${format}: ${part}\n${stdout.slice(0, 800)}`)
        }
      } else JSON.parse(stdout)
    }
  })
}

test('the files and messages of a gate are formats of its report, with the files of its queues', async () => {
  for (const format of Object.keys(gateReports)) {
    const { code, stdout } = await report('gate', format)
    assert.equal(code, 0)
    assert.match(stdout, /14\.7 (%|%25) slower/, format)
    if (format === 'annotations') assert.match(stdout, /^::error title=timerq%3A regression,file=bench\/\w+\.bench\.js::parse /m)
    const refused = await report('run', format)
    assert.deepEqual([refused.code, refused.stdout], [2, ''])
    assert.match(refused.stderr, /is of gates, and docs\/recorded\/run holds none/)
  }
})

/** @type {Record<string, (chosen: any) => Promise<any>>} */
const PLANS = { run: planRun, try: planTry, recommend: planRecommend }

test('timerq takes every next command of a report', async t => {
  const folder = temporaryFolder(t)
  symlinkSync(path.join(cwd, 'docs'), path.join(folder, 'docs'))
  mkdirSync(path.join(folder, 'bench'))
  for (const file of ['bench/dates.bench.js', 'format.bench.js']) writeFileSync(path.join(folder, file), '')
  const commands = []
  for (const directory of Object.keys(ANSWERS)) {
    const { json } = await report(directory, 'json')
    if (json.answer.next) commands.push(json.answer.next.command)
  }
  assert.ok(commands.length >= 4, 'run, try, unclear and the first gate of a gain have one')
  process.chdir(folder)
  t.after(() => process.chdir(cwd))
  for (const command of commands) {
    const [timerq, ...args] = command.split(' ')
    const { request } = parse(args)
    assert.ok(timerq === 'timerq' && request, command)
    const { resume } = request
    if (resume === undefined) continue
    const { directory, run } = readResults(resume)
    const again = requestAgain({ directory, command: run.command }, request, { seed: '7', out: null })
    await PLANS[request.command.name](again)
  }
})
