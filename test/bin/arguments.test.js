/** Wrong arguments: one line that names subject, rule, value and remedy, and exit code 2. Nothing is measured. */
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { DEFAULT_RULES } from '../../harness/judge/decision.js'
import { CANCEL, START, TraceWriter } from '../../harness/store/trace-format.js'
import { commands } from '../../bin/commands/index.js'
import { parse } from '../../bin/request/request.js'
import { againOf, requestAgain, retyped } from '../../bin/request/again.js'
import { options, optionsOf } from '../../bin/request/options.js'
import { commandLine } from '../../reports/blocks.js'
import { PAGES, readPage } from '../pages.js'
import { timerq, timerqHere, words } from './timerq.js'

const BIN = fileURLToPath(new URL('../../bin/timerq.js', import.meta.url))
const OWN_QUEUE = fileURLToPath(new URL('../../queues/binary-heap.js', import.meta.url))
const OWN_SCENARIO = fileURLToPath(new URL('../../scenarios/start-cancel.js', import.meta.url))
const SUM = fileURLToPath(new URL('../fixtures/workloads/sum.js', import.meta.url))
const TASKS = fileURLToPath(new URL('../fixtures/benchmarks/bench-node.js', import.meta.url))
const SMALL_RUN = fileURLToPath(new URL('../fixtures/runs/heats', import.meta.url))
const ONE_MICRO = 'run --preset ci --seed 1 --scenario refresh-one-duration --size 400'
const home = process.cwd()
const folder = mkdtempSync(path.join(os.tmpdir(), 'timerq-arguments-'))

before(() => {
  process.chdir(folder)
  cpSync(SMALL_RUN, 'small', { recursive: true })
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
after(() => {
  process.chdir(home)
  rmSync(folder, { recursive: true })
})

/** @type {[args: string, message: string | RegExp][]} */
const WRONG = [
  ['--json', 'name a command (timerq lists all)'],
  ['rnu', 'unknown command "rnu", did you mean run? (timerq lists all)'],
  ['frobnicate it', 'unknown command "frobnicate" (timerq lists all)'],
  ['list -- --nonsense', 'list takes no program (leave out the words after --)'],

  ['run --quee x', 'unknown option --quee, did you mean --queue? (timerq run --help lists its options)'],
  ['run --zzz', 'unknown option --zzz (timerq run --help lists its options)'],
  ['run --constructor=x', 'unknown option --constructor (timerq run --help lists its options)'],
  ['run --$0=x', 'unknown option --$0 (timerq run --help lists its options)'],
  ['run --_ fill', 'unknown option -_ (timerq run --help lists its options)'],
  ['gate --no-install=1', '--no-install takes no value, got "1" (leave the value out)'],
  ['--base main gate --queue x', 'unknown queue "x" (--queue must name files of this repository: ./src/my-queue.js)'],
  ['--scenario start-cancel rnu', 'unknown command "rnu", did you mean run? (timerq lists all)'],
  ['list 1e3', 'unknown argument "1e3" (timerq list --help lists its options)'],
  ['run --seed 0x10', '--seed must be an integer from 0 to 4294967295, got "0x10"'],
  ['run --queue.x 1', 'unknown option --queue.x, did you mean --queue? (timerq run --help lists its options)'],
  ['run --json=maybe', '--json takes no value, got "maybe" (leave the value out)'],
  ['run --no-queue', 'unknown option --no-queue (timerq run --help lists its options)'],
  ['run --margin 1%', 'run takes no --margin, which belongs to gate and compare (timerq run --help lists its options)'],
  ['run binary-heap', 'unknown scenario "binary-heap" (it is a queue: --queue binary-heap)'],
  ['run --queue --json', '--queue needs a value (timerq run --help lists its options)'],
  ['run --seed 1 --seed 2', '--seed must be given once, got "1" and "2"'],
  ['run --preset quik', '--preset must be quick, documented or ci, got "quik", did you mean quick?'],
  ['run --size 10k', '--size must be a positive integer, got "10k" (try 10000)'],
  ['run --size 0', '--size must be a positive integer, got "0"'],
  ['run --size 10,20 --size 010', '--size must not repeat a value, got 10 twice (leave one out)'],
  ['run --until soon', '--until must be a percentage between 0 and 100, got "soon" (try 3%)'],
  ['run --until 0%', '--until must be a percentage between 0 and 100, got "0%" (try 3%)'],
  ['run --budget soon', '--budget must be a time longer than 0, got "soon" (try 5m or 300s)'],
  ['gate --budget 0', '--budget must be a time longer than 0, got "0" (try 5m or 300s)'],
  ['run --sweep threads=1 --sweep threads=2', '--sweep must not repeat a value, got threads twice (leave one out)'],
  ['run --sweep threads=1=2', '--sweep must be name=value,value..., got "threads=1=2" (try connections=100,400)'],
  ['run --shard 4/3', '--shard must be i/n with i from 1 to n, got "4/3" (try 1/3)'],
  ['run --shard 0/2', '--shard must be i/n with i from 1 to n, got "0/2" (try 1/3)'],
  ['run --shard 2', '--shard must be i/n with i from 1 to n, got "2" (try 1/3)'],
  ['run --seed 4294967296', '--seed must be an integer from 0 to 4294967295, got "4294967296"'],
  ['run --queue binary-heap,,', '--queue has an empty item: "binary-heap,,"'],
  ['run --queue binary-heap,binary-heap', /^queues must have different names, got binary-heap twice/],
  ['run --queue binary-haep', 'unknown queue "binary-haep", did you mean binary-heap? (timerq list shows all)'],
  ['run --queue my-queue', 'unknown queue "my-queue", did you mean ./my-queue.js?'],
  ['run --queue ./nowhere.js', /^queue \.\/nowhere\.js: there is no such file/],
  ['run --queue ./my-queue.mjs', 'queue ./my-queue.mjs: there is no such file (did you mean ./my-queue.js?)'],
  ['run --queue ./small', 'queue ./small is a folder (timerq report ./small shows these results)'],
  ['run --queue small', 'queue small is a folder (timerq report small shows these results)'],
  [
    'gate ./my-queue.js',
    'unknown argument "./my-queue.js", did you mean --queue or --scenario ./my-queue.js? (timerq gate --help lists ' +
      'its options)'
  ],
  [
    `run --scenario ${OWN_QUEUE}`,
    `scenario ${OWN_QUEUE}: it is a queue, not a scenario (timerq run --queue ${OWN_QUEUE})`
  ],
  [`check ${OWN_SCENARIO}`, /is a scenario, not a queue \(timerq run --scenario .*start-cancel\.js\)$/],
  [`run --scenario ${BIN}`, /; it may be a program \(timerq try -- node server\.js; timerq record -- node app\.js\)$/],
  [
    'try --budget 10s -- node x.js',
    /^--budget 10s is too short for one heat, which takes about 9 s \(try --budget \d+s/
  ],
  ['run --queue npm:no-such-queue', /npm install no-such-queue/],
  [
    'run --scenario ./nowhere.js',
    /^scenario \.\/nowhere\.js: there is no such file \(timerq new --scenario makes one\)$/
  ],
  [
    'run --scenario ./shipped.js',
    'scenario ./shipped.js: timerq has a scenario named keep-alive (give it another name)'
  ],
  [
    `run --scenario ${SUM},${SUM}`,
    /^scenarios must have different names, .* are all named sum \(leave out all but one\)$/
  ],
  [`run --scenario ${SUM} --queue lazy-wheel`, '--queue: sum measures no queue (leave it out)'],
  [`run --scenario ${SUM} --sweep lines=1`, /^no scenario of this run has a parameter "lines"/],
  [`run --scenario ${SUM} --sweep texts=0`, 'texts must be at least 1, got 0'],
  ['run --scenario ./no*.bench.js', /^--scenario \.\/no\*\.bench\.js matches no file in /],
  [`run --scenario ${TASKS} --task none`, '--task none matches no task (concat, later, managed)'],
  [`run --scenario ${TASKS} --task (`, /^--task must be a regular expression: /],
  ['run --scenario start-cancel --task a', /^--task is for benchmark files \(/],
  [`${ONE_MICRO} --queue ${BIN}`, /one class|lacks/],
  [`${ONE_MICRO} --queue node`, /only HTTP scenarios/],
  [
    `${ONE_MICRO} --queue binary-heap --runtime ${process.execPath},${process.execPath}`,
    /would be measured twice: .* one runtime/
  ],
  [`${ONE_MICRO} --runtime ./no-node`, /--runtime \.\/no-node: .* does not run/],
  [`${ONE_MICRO} --sweep constructor=1`, /no scenario of this run has a parameter "constructor"/],
  [`${ONE_MICRO} --shard 1/2`.replace('--seed 1', ''), /^--shard needs --seed/],
  [`${ONE_MICRO} --out /dev/null/results`, /cannot create \/dev\/null\/results/],
  [`${ONE_MICRO} --queue binary-heap --out .`, /not empty/],
  [
    'run --resume small --size 5',
    '--resume continues as planned: it takes no --size (leave it out, or start a new run)'
  ],

  ['reproduce --only Z9', /^--only must name findings, got "Z9"/],
  ['reproduce --resume nowhere', /^nowhere is not a results directory/],
  ['recommend', 'recommend needs a trace, and there is no timerq.trace here (try timerq record -- node app.js)'],
  ['recommend one.trace --trace idle.trace', 'trace must be given once, got "idle.trace" and "one.trace"'],
  ['recommend --trace nowhere.trace', /^nowhere\.trace cannot be read: /],
  ['recommend --trace text.trace', /^text\.trace is not a trace: /],
  ['recommend --trace idle.trace', /^idle\.trace starts no timer: /],
  ['recommend --trace one.trace --queue node', /^recommend compares /],
  ['recommend --resume small', 'small holds the results of timerq run, not of recommend (timerq report small)'],
  ['try', 'try needs a program (try timerq try -- node server.js)'],
  ['try --queue node -- node x.js', 'try compares queues with node (name another queue, or use --self-check)'],
  [
    'try --connections 5 node server.js',
    'try needs -- before the program (try timerq try --connections 5 -- node server.js)'
  ],
  ['try --path users -- node x.js', '--path must begin with a slash, got "users" (try /users)'],
  ['try --load-command client -- node x.js', /must say \{url\} where the address of the server belongs/],
  [
    'check timerq-timers',
    'timerq-timers is not a queue: only timerq try measures it (timerq try --queue timerq-timers -- node server.js)'
  ],
  ['gate --queue timerq-timers', /^timerq-timers is not a queue/],
  ['record', 'record needs a program (try timerq record -- node app.js)'],
  [
    'record --out a.trace node app.js -p 3',
    'record needs -- before the program (try timerq record --out a.trace -- node app.js -p 3)'
  ],
  ['profile node app.js', 'profile needs -- before the program (try timerq profile -- node app.js)'],
  ['profile --with=0x -- node app.js', '--with is for the servers of timerq, not for your own program (leave it out)'],
  [
    'profile lazy-wheel',
    'unknown argument "lazy-wheel", did you mean --queue lazy-wheel? (timerq profile --help lists its options)'
  ],
  [
    'profile --scenario start-cancel',
    'profile records http scenarios, but start-cancel is micro (choose another --scenario)'
  ],

  ['new', 'new needs a name (try timerq new my-queue)'],
  ['new egg_timer', 'the name of a queue must be in kebab case, got "egg_timer" (try my-queue)'],
  ['new binary-heap', 'timerq has a queue named binary-heap (choose another name)'],
  ['new --scenario start-cancel', 'timerq has a scenario named start-cancel (choose another name)'],
  ['new --server MyServer', 'the name of a server must be in kebab case, got "MyServer" (try my-server)'],
  ['new --scenario a --server', '--server cannot be combined with --scenario (leave one of them out)'],
  ['check', 'check needs a queue (try timerq check ./my-queue.js)'],
  ['check lzy', 'unknown queue "lzy", did you mean lazy-wheel? (timerq list shows all)'],
  ['check ./list.js', /the queue lacks createTimer/],
  ['check node', /^node is built into Node/],
  ['check binary-heap --seed 2147483648', /^--seed must be an integer from 0 to 2147483647/],

  ['gate', /^gate compares revisions, but .* is in no git repository /],
  [
    'gate --base main --expect quicker',
    '--expect must be faster, faster=5%, level or not-slower, got "quicker" (rows are named after a colon: ' +
      'faster:parse*)'
  ],
  [
    'gate --base main --margin 100%',
    '--margin must be a percentage between 0 and 100, got "100%" (try 3%)'
  ],
  ['gate --base main --expect level --counts', '--counts cannot be combined with --expect (leave one of them out)'],
  [
    'gate --base main --expect faster=100%',
    '--expect faster must be a percentage between 0 and 100, got "100%" (try 3%)'
  ],
  [
    'gate --base main --install a --no-install',
    '--install cannot be combined with --no-install (leave one of them out)'
  ],
  ['confirm', 'confirm needs a results directory (try timerq confirm results/first)'],
  ['confirm small', 'small holds the results of timerq run, not of gate (timerq report small)'],

  ['compare small', 'compare needs two results directories, or one and --queue a,b'],
  ['compare small nowhere', /nowhere is not a results directory/],
  ['compare small small', /a run cannot be compared with itself/],
  [
    'compare small --queue binary-heap',
    '--queue must name two queues, got "binary-heap" (try binary-heap,hierarchical-wheel)'
  ],
  ['report nowhere', /nowhere is not a results directory/],
  ['report small --out /dev/null/report.md', /cannot write \/dev\/null\/report\.md/],
  [
    'report small --out report.foo',
    '--out must end in .txt, .md, .html, .json or .csv, got "report.foo" (or choose with --format)'
  ],
  ['report small --base small', /^--base needs --format markdown or html, got terminal/],
  ['merge a b', 'merge needs --out (timerq merge --help lists its options)'],
  [
    'merge a --out x',
    'merge needs the results directories of two or more shards, got 1 (try timerq merge results/shard-1 ' +
      'results/shard-2 --out results/all)'
  ]
]

for (const [args, message] of WRONG) {
  test(`timerq ${args}: ${message}`, async () => {
    const { code, stdout, stderr } = await timerqHere(args.split(' ').filter(Boolean))
    assert.deepEqual([code, stdout], [2, ''], stderr)
    const [, line] = /^timerq: (.*)\n$/.exec(stderr) ?? []
    if (typeof message === 'string') assert.equal(line, message)
    else assert.match(line, message)
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

test('options that start something of the user are needed again by a resumed run, and the program', () => {
  const typed = words`--queue lazy-wheel,./my-queue.js --runtime 24 --size 10`
  const loaded = ['--listen=10.0.0.1', '--queue=npm:egg', '--load-command', 'ssh b wrk {url}']
  assert.deepEqual(againOf(words`timerq run ${typed} --queue ./b.js ${loaded}`), [
    ...['--queue', './my-queue.js,./b.js,npm:egg'],
    ...['--runtime', '24'],
    ...['--load-command', 'ssh b wrk {url}'],
    ...['--listen', '10.0.0.1']
  ])
  assert.deepEqual(againOf(words`timerq run --scenario start-cancel,./mine.js --size 10`), [
    '--scenario',
    './mine.js'
  ])
  const program = words`node server.js --queue ./its-own.js`
  assert.deepEqual(againOf(words`timerq try -- ${program}`), ['--', ...program])
  assert.deepEqual(againOf(words`node bench.js --queue ./mine.js`), [])
})

test('a gate that is measured again needs the words that start something, and no others', () => {
  const files = words`timerq gate --base main --scenario fill,./parse.js --queue ./src/heap.js`
  assert.deepEqual(againOf([...files, '--budget', '9s', '--prepare', 'npm run build']), [
    ...['--queue', './src/heap.js', '--scenario', './parse.js'],
    ...['--prepare', 'npm run build']
  ])
  const program = words`-- node server.js --prepare it`
  assert.deepEqual(againOf(words`timerq gate --install ${'npm ci'} --out a ${program}`), [
    ...['--install', 'npm ci'],
    ...program
  ])
  assert.deepEqual(againOf(words`timerq gate --no-install ${program}`), ['--no-install', ...program])
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
  ['recommend evil.trace', '', 'evil.trace'],
  ['try --path /delete -- node server.js', '-- node server.js', '--path /delete -- node server.js'],
  ['try -- node evil.js', '', '-- node evil.js'],
  ['try -- node evil.js', '-- node server.js', '-- node evil.js'],
  ['gate --base main --prepare evil', '--queue ./a.js', '--prepare evil'],
  ['gate --base main --install evil', '--no-install', '--install evil']
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
  assert.throws(() => requestAgain({ directory: 'd', command: words`node bench.js` }, request, {}), {
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
