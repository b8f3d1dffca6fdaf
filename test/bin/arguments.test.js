/** Words of a command line: those that are refused (refusals.txt), typed values, and words that are repeated. */
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { DEFAULT_RULES } from '../../harness/judge/decision.js'
import { CANCEL, START, TraceWriter } from '../../harness/store/trace-format.js'
import { commands } from '../../bin/commands/index.js'
import { parse } from '../../bin/request/request.js'
import { againOf, requestAgain, retyped } from '../../bin/request/again.js'
import { options, optionsOf } from '../../bin/request/options.js'
import { commandLine } from '../../reports/blocks.js'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { PAGES, readPage } from '../pages.js'
import { project } from './project.js'
import { timerq, timerqHere, words } from './timerq.js'

const ROOT = path.resolve(fileURLToPath(new URL('../..', import.meta.url)))
const REFUSALS = readFileSync(new URL('refusals.txt', import.meta.url), 'utf8')
const home = process.cwd()
const folder = temporaryFolder({ after })
const repository = project(/** @type {any} */ ({ after }))

before(() => {
  process.chdir(folder)
  cpSync(path.join(ROOT, 'test/fixtures/runs/heats'), 'small', { recursive: true })
  writeFileSync('text.trace', 'hello\n')
  writeFileSync('my-queue.js', '')
  writeFileSync('list.js', 'export class List {}\n')
  const workload = "createWorkload: () => ({ phases: [{ metric: 'nsPerOp', operations: 1, run () {} }] })"
  writeFileSync('shipped.js', `export const scenario = { name: 'keep-alive', kind: 'code', ${workload} }`)
  for (const [name, kind] of /** @type {const} */ ([
    ['idle.trace', CANCEL],
    ['one.trace', START]
  ])) {
    const writer = new TraceWriter(name, 0)
    writer.write(kind, 0, 0, 1000)
    writer.flush()
  }
})
after(() => process.chdir(home))

for (const [, place, args, message] of REFUSALS.matchAll(/^(\w*)\$ timerq (.*)\n(.+)$/gm)) {
  test(`timerq ${args}: ${message}`, async () => {
    const cwd = place ? repository.root : folder
    const shown = Object.entries({ $HERE: cwd, $ROOT: ROOT, $NODE: process.execPath })
    const [typed, said] = [args, message].map(text =>
      shown.reduce((filled, [name, file]) => filled.replaceAll(name, () => file), text)
    )
    const { code, stdout, stderr } = await timerqHere(typed, { cwd })
    assert.deepEqual([code, stdout], [2, ''], stderr)
    const line = said.replaceAll(/[^\w…]/g, '\\$&').replaceAll('…', '.+')
    assert.match(stderr, new RegExp(`^timerq: ${line}\n$`))
  })
}

test('messages and help are in English in every locale', async () => {
  const env = { ...process.env, LC_ALL: 'de_DE.UTF-8' }
  assert.match((await timerq('gate --bse', { env })).stderr, /^timerq: unknown option --bse, did you mean --base\?/)
  assert.match((await timerq('check --help', { env })).stdout, /^Examples:$/m)
})

test('no command has two options of one name, and a default is a valid value', () => {
  for (const command of commands) {
    const names = optionsOf(command).map(({ name }) => name)
    assert.deepEqual(names, [...new Set(names)], command.name)
  }
  const { request } = parse(words`gate --base main`)
  const { rules, port, format } = /** @type {import('../../bin/request/request.js').Request} */ (request)
  assert.deepEqual(rules, DEFAULT_RULES)
  assert.deepEqual([port, format], [undefined, undefined])
})

test('a request has typed values, and lists are joined', () => {
  const { request } = parse(words`run --size 10,20 --size 30 --sweep threads=1,2 --sweep connections=3
    --until 3% --budget 2m --shard 1/3 --no-color --json`)
  const { size, sweep, until, budget, shard, color, json, preset } =
    /** @type {import('../../bin/request/request.js').Request} */ (request)
  assert.deepEqual(
    { size, sweep, until, budget, shard, color, json, preset },
    {
      size: [10, 20, 30],
      sweep: { threads: [1, 2], connections: [3] },
      until: 0.03,
      budget: 120,
      shard: { index: 1, count: 3 },
      color: false,
      json: true,
      preset: 'quick'
    }
  )
})

test('words reach their reader as they were typed', () => {
  const program = words`node app.js 1e3 0x10 1.50 007 -1 --seed=1 -- true`
  const requestOf = (/** @type {string[]} */ ...args) =>
    /** @type {import('../../bin/request/request.js').Request} */ (parse(args).request)
  for (const command of ['try', 'record', 'profile', 'gate']) {
    assert.deepEqual(requestOf(command, '--', ...program).program, program, command)
  }
  assert.deepEqual(againOf(['timerq', 'try', '--', ...program]), ['--', ...program])
  assert.equal(requestOf('recommend', '007').trace, '007')
  assert.equal(requestOf('recommend', '--trace', '1e3').trace, '1e3')
  assert.equal(requestOf('run', '--task=-x').task, '-x')
  assert.equal(requestOf('run', '--task', '-5').task, '-5')
  assert.equal(requestOf('gate', '--prepare', '"a b" "c"').prepare, '"a b" "c"')
  assert.equal(requestOf('gate', '--prepare=a=b').prepare, 'a=b')
  assert.equal(requestOf('run', '--out', '20').out, '20')
  assert.equal(requestOf('--base', 'gate', 'gate').base, 'gate')
  const { command, out } = requestOf('--out', 'check', 'run')
  assert.deepEqual([command.name, out], ['run', 'check'], 'the value of an option is no command')
})

const UNTYPED = /** @type {[stored: string, typed: string, again: string][]} */ ([
  ['run --queue ./my-queue.js', '', '--queue ./my-queue.js'],
  ['run --queue ./my-queue.js', '--queue lazy-wheel', '--queue ./my-queue.js'],
  ['run --queue npm:egg,lazy-wheel', '--queue npm:chicken', '--queue npm:egg'],
  ['run --scenario fill --scenario ./evil.js', '', '--scenario ./evil.js'],
  ['run --runtime ./evil', '--runtime 24', '--runtime ./evil'],
  ['run --load-command evil', '', '--load-command evil'],
  ['run --load-command=evil', '--load-command client', '--load-command evil'],
  ['run --listen 0.0.0.0', '', '--listen 0.0.0.0'],
  ['run --out --load-command=evil', '', '--load-command evil'],
  [
    'run --queue lazy-wheel,./a.js --runtime 24 --size 10 --queue ./b.js --listen=10.0.0.1 --queue=npm:egg',
    '',
    '--queue ./a.js,./b.js,npm:egg --runtime 24 --listen 10.0.0.1'
  ],
  ['run --scenario start-cancel,./mine.js --size 10', '', '--scenario ./mine.js'],
  ['recommend evil.trace', '', 'evil.trace'],
  ['try --path /delete -- node server.js', '-- node server.js', '--path /delete -- node server.js'],
  ['try -- node evil.js --queue ./its-own.js', '', '-- node evil.js --queue ./its-own.js'],
  ['try -- node evil.js', '-- node server.js', '-- node evil.js'],
  ['gate --base main --prepare evil', '--queue ./a.js', '--prepare evil'],
  ['gate --base main --install evil', '--no-install', '--install evil'],
  [
    'gate --base main --scenario fill,./parse.js --queue ./src/heap.js --budget 9s --prepare it',
    '',
    '--queue ./src/heap.js --scenario ./parse.js --prepare it'
  ],
  ['gate --install it --out a -- node server.js --prepare it', '', '--install it -- node server.js --prepare it'],
  ['gate --no-install -- node server.js', '-- node server.js', '--no-install -- node server.js']
])

for (const [stored, typed, again] of UNTYPED) {
  test(`timerq ${stored} does not go on by "${typed}"`, () => {
    const [name] = stored.split(' ')
    const request = /** @type {any} */ ({ commandLine: words`timerq ${name} --resume d ${typed.split(' ')}`, resume: 'd' })
    assert.throws(() => requestAgain({ directory: 'd', command: words`timerq ${stored.split(' ')}` }, request, {}), {
      exitCode: 2,
      message:
        'd used files, programs or addresses that are not part of timerq. For safety, name them again: ' +
        `timerq ${name} --resume d ${again}`
    })
  })
}

test('words of timerq go on by themselves, with the seed of the results, and no others are run', () => {
  const request = /** @type {any} */ ({ commandLine: words`timerq run --resume d`, resume: 'd' })
  const command = words`timerq run --queue lazy-wheel --size 10 --out a --seed 4 --json`
  const { queue, size, seed, out, json } = requestAgain({ directory: 'd', command }, request, { seed: 7, out: null })
  assert.deepEqual([queue?.[0].name, size, seed, out, json], ['lazy-wheel', [10], 7, undefined, undefined])
  const others = words`node bench.js --queue ./mine.js`
  assert.throws(() => requestAgain({ directory: 'd', command: others }, request, {}), {
    exitCode: 2,
    message: 'd/run.json has no command that measures'
  })
})

test('a page shows every option', () => {
  const pages = PAGES.filter(page => page !== 'CHANGELOG.md').map(readPage).join()
  const shown = (/** @type {string} */ label) => new RegExp(`${label}\\b(?!-)`).test(pages)
  const hidden = options.filter(({ name, group }) => !group.match(/General|Arguments/) && !shown(`--${name}`))
  assert.deepEqual(hidden, [])
})

test('every command of an option is one', () => {
  const names = commands.map(({ name }) => name)
  for (const { name, commands } of options) {
    assert.deepEqual(Object.keys(commands).filter(command => command !== '' && !names.includes(command)), [], name)
  }
})

test('a command that is shown again keeps the --out of a program, not its own', () => {
  const program = words`-- node build.js --out dist --out=lib`
  assert.equal(
    commandLine(words`timerq gate --out a --base main --out=b ${program}`).text,
    'timerq gate --base main -- node build.js --out dist --out=lib'
  )
})

test('a command is typed again with other values, and its program is left as it is', () => {
  const program = words`-- node server.js --seed 7`
  const words9 = words`timerq gate --seed 1 --rounds=9 --base main --task=-x --junit a.xml --no-install ${program}`
  assert.deepEqual(
    retyped(words9, { seed: null, rounds: null, budget: '10m' }),
    words`timerq gate --base main --task=-x --no-install --budget 10m ${program}`
  )
  assert.deepEqual(retyped(words`timerq recommend --rounds 2 a.trace`, {}), words`timerq recommend a.trace --rounds 2`)
})
