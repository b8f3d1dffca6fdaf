/**
 * The examples in the help run as they are, in a project like a user's. What would take long is shortened, or only
 * parsed.
 */
import { before, test } from 'node:test'
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { commands } from '../../bin/commands/index.js'
import { parse } from '../../bin/request/request.js'
import { optionsOf } from '../../bin/request/options.js'
import { TIMERQ } from './timerq.js'

const QUEUES = fileURLToPath(new URL('../../queues/', import.meta.url))
const HEAP = fileURLToPath(new URL('../fixtures/queues/heap.js', import.meta.url))
const WORKLOADS = fileURLToPath(new URL('../fixtures/workloads', import.meta.url))
const PROGRAM = 'setTimeout(() => {}, 1000).refresh(); setTimeout(() => process.exit(), 5)\n'
const TINY = '--queue binary-heap,hierarchical-wheel --scenario start-cancel --size 100 --preset ci --rounds 1 --seed 1'
/** A shard is at least one table. */
const TWO_TABLES = TINY.replace('100', '100,1000')

/**
 * What is run, in this order, and what makes it short.
 *
 * @type {Record<string, string>}
 */
const RUN = {
  'new my-queue': '',
  list: '',
  'list --json': '',
  run: TINY,
  'compare results/before results/after': '',
  'compare results/now --queue binary-heap,hierarchical-wheel': '',
  'report results/now --out report.html': '',
  'report results/now --format benchmark-action --out benchmark.json': '',
  'merge results/shard-1 results/shard-2 --out results/all': '',
  'record --out app.trace -- node app.js': '',
  'recommend app.trace': '--queue binary-heap --rounds 1',
  'gate --base main --queue ./src/wheel.js': '--scenario start-cancel --size 100 --rounds 1',
  completion: ''
}
/** Done, or inconclusive after so few rounds. */
const EXIT_CODES = [0, 3]

const folder = mkdtempSync(path.join(os.tmpdir(), 'timerq-examples-'))
const home = process.cwd()
process.on('exit', () => {
  process.chdir(home)
  rmSync(folder, { recursive: true, force: true })
})

/** @param {string} command  As typed into a shell, behind `timerq`. */
function typed (command) {
  const env = { ...process.env, PATH: `${path.join(folder, 'bin')}${path.delimiter}${process.env.PATH}` }
  return spawnSync('sh', ['-c', `timerq ${command}`], { cwd: folder, env, encoding: 'utf8' })
}

before(() => {
  for (const name of ['bin', 'bench', 'src/parts', 'node_modules/my-queue']) {
    mkdirSync(path.join(folder, name), { recursive: true })
  }
  writeFileSync(path.join(folder, 'bin/timerq'), `#!/bin/sh\nexec '${process.execPath}' '${TIMERQ}' "$@"\n`, {
    mode: 0o755
  })
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }\n')
  writeFileSync(path.join(folder, 'app.js'), PROGRAM)
  cpSync(HEAP, path.join(folder, 'src/wheel.js'))
  cpSync(path.join(QUEUES, 'parts/indexed-heap.js'), path.join(folder, 'src/parts/indexed-heap.js'))
  cpSync(path.join(WORKLOADS, 'sum.js'), path.join(folder, 'bench/parse.js'))
  cpSync(path.join(WORKLOADS, 'add.js'), path.join(folder, 'bench/add.js'))
  writeFileSync(
    path.join(folder, 'node_modules/my-queue/package.json'),
    '{ "name": "my-queue", "type": "module", "exports": "./index.js" }\n'
  )
  writeFileSync(path.join(folder, 'node_modules/my-queue/index.js'), '')
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
      cwd: folder,
      stdio: 'pipe'
    })
  git('init', '--quiet', '--initial-branch', 'main')
  git('add', 'src', 'bench', 'package.json')
  git('commit', '--quiet', '--message', 'Begin')
  process.chdir(folder)
})

/** What was run just now, on other days. */
function writeEarlierRuns () {
  const [name] = readdirSync(path.join(folder, 'results')).filter(name => name !== '.gitignore')
  for (const [year, copy] of ['before', 'after', 'now'].entries()) {
    const directory = path.join(folder, 'results', copy)
    cpSync(path.join(folder, 'results', name), directory, { recursive: true })
    for (const file of ['run.json', 'samples.jsonl']) {
      const text = readFileSync(path.join(directory, file), 'utf8')
      writeFileSync(path.join(directory, file), text.replaceAll(/("started": ?")\d{4}/g, `$1${2001 + year}`))
    }
  }
}

for (const [example, more] of Object.entries(RUN)) {
  test(`timerq ${example} ${more}`, () => {
    if (example.startsWith('merge')) {
      for (const shard of [1, 2]) {
        assert.equal(typed(`run ${TWO_TABLES} --shard ${shard}/2 --out results/shard-${shard}`).status, 0)
      }
    }
    const at = example.indexOf(' -- ')
    const { status, stderr, stdout } = typed(
      at === -1 ? `${example} ${more}` : `${example.slice(0, at)} ${more} ${example.slice(at)}`
    )
    assert.ok(EXIT_CODES.includes(Number(status)), `exit ${status}: ${stderr}${stdout}`)
    if (example === 'run') writeEarlierRuns()
  })
}

for (const command of commands) {
  const { name, examples } = command
  test(`${name} has one to four examples with valid arguments, which its help shows ready to copy, in 80 columns`, async () => {
    const { help } = parse([name, '--help', '--all'], { columns: 80 })
    assert.ok(examples.length >= 1 && examples.length <= 4)
    for (const [example, what] of examples) {
      assert.equal(parse(example.replace('results/*', 'results/a results/b').split(' ')).command, command, example)
      assert.ok(`${help}\n`.includes(`\n  # ${what}\n  timerq ${example}\n`), example)
    }
    assert.deepEqual(
      help.split('\n').filter(line => line.length > 80),
      []
    )
    for (const option of optionsOf(command)) assert.match(help, new RegExp(`^ +(--)?${option.name} `, 'm'))
  })
}

test('every example that is run is one of the help', () => {
  const all = commands.flatMap(({ examples }) => examples.map(([example]) => example))
  assert.deepEqual(
    Object.keys(RUN).filter(example => !all.includes(example)),
    []
  )
})
