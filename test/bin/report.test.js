/** `timerq report` in every format. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { timerqHere } from './timerq.js'

const SMALL = fileURLToPath(new URL('../fixtures/runs/heats', import.meta.url))

/**
 * @param {import('node:test').TestContext} t
 * @param {(directory: string) => void} damage
 */
function damagedRun (t, damage) {
  const directory = path.join(temporaryFolder(t), 'run')
  cpSync(SMALL, directory, { recursive: true })
  damage(directory)
  return directory
}

/**
 * @param {string} file
 * @param {(text: string) => string} change
 * @returns {(directory: string) => void}
 */
const edit = (file, change) => directory => {
  const name = path.join(directory, file)
  writeFileSync(name, change(readFileSync(name, 'utf8')))
}

const FORMATS = ['terminal', 'markdown', 'html', 'json', 'csv', 'benchmark-action', 'bencher']

/** Reports in all formats from another process, which has other hashes. */
const printed = promisify(execFile)(
  process.execPath,
  [
    ...['--input-type=module', '--eval'],
    `import { timerqHere } from ${JSON.stringify(new URL('timerq.js', import.meta.url).href)}
    const reports = []
    for (const format of process.argv.slice(2)) {
      reports.push((await timerqHere(['report', process.argv[1], '--format', format])).stdout)
    }
    console.log(JSON.stringify(reports))`,
    ...[SMALL, ...FORMATS]
  ],
  { maxBuffer: 1 << 26 }
).then(({ stdout }) => JSON.parse(stdout))

/** The same reports from this process, each made once. */
const made = new Map()

/** @param {string} format */
async function reportAs (format) {
  if (!made.has(format)) made.set(format, await timerqHere(['report', SMALL, '--format', format]))
  return made.get(format)
}

for (const [i, format] of FORMATS.entries()) {
  test(`a report as ${format} has the same bytes every time`, async () => {
    const here = await reportAs(format)
    assert.equal(here.code, 0, here.stderr)
    assert.ok(here.stdout.length > 1000)
    assert.equal(here.stdout, (await printed)[i])
  })
}

test('a markdown file has its pictures in the same folder, all that it shows and no others', async t => {
  const file = path.join(temporaryFolder(t), 'deep', 'findings.md')
  const { code, stderr } = await timerqHere(['report', SMALL, '--format', 'markdown', '--out', file])
  assert.equal(code, 0, stderr)
  assert.equal(stderr, `report: ${file}\n`)
  const shown = [...readFileSync(file, 'utf8').matchAll(/(?:src|srcset)="findings-pictures\/([^"]+)"/g)].map(
    ([, name]) => name
  )
  assert.ok(shown.length > 10)
  assert.deepEqual(readdirSync(path.join(path.dirname(file), 'findings-pictures')).sort(), shown.sort())
})

test('a report can compare with another run', async t => {
  const earlier = damagedRun(
    t,
    edit('samples.jsonl', text => text.replaceAll(/"started":"\d{4}/g, '"started":"2001'))
  )
  const { code, stdout, stderr } = await timerqHere(['report', SMALL, '--base', earlier, '--format', 'markdown'])
  assert.equal(code, 0, stderr)
  assert.match(stdout, /## Comparison with the baseline/)
})

test('a killed run with half a line has a report that says so', async t => {
  const directory = damagedRun(
    t,
    edit('samples.jsonl', text => text.slice(0, -50))
  )
  const { code, stdout } = await timerqHere(['report', directory, '--format', 'markdown'])
  assert.equal(code, 0)
  assert.match(stdout, /The last sample is truncated and was skipped/)
})

test('a run without samples has a report that says so, in every format', async t => {
  const directory = damagedRun(
    t,
    edit('samples.jsonl', () => '')
  )
  for (const format of ['terminal', 'markdown', 'html', 'csv', 'bencher']) {
    const { code, stdout, stderr } = await timerqHere(['report', directory, '--format', format])
    assert.equal(code, 0, stderr)
    if (format === 'markdown') assert.match(stdout, /^\*\*Nothing was measured\.\*\*$/m)
  }
})

test('a run of a newer format is refused in one line, with exit code 2', async t => {
  const newer = damagedRun(
    t,
    edit('run.json', text => text.replace('timerq-run/3', 'timerq-run/9'))
  )
  const { code, stdout, stderr } = await timerqHere(['report', newer])
  assert.deepEqual([code, stdout], [2, ''], stderr)
  assert.match(stderr, /^timerq: .*timerq-run\/9.*the timerq that wrote it.*\n$/)
})
