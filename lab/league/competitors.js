/**
 * The competitors of the league, and how each is made. Built and fetched files lie in the cache, never in the project.
 * Without a compiler or the network, only the competitors that need it are missing.
 */
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { resolveRuntime } from '../../harness/processes/runtimes.js'
import { queues } from '../../queues/index.js'

/** Rust's versions are in rust/Cargo.toml and Cargo.lock, and Go's timers come with Go. */
const TIMEOUT_COMMIT = '671d204671ca66bc0b34c4a6338a02d837061595'
/** Queues that the user adds run on the first. */
const NODES = ['20.20.2', '26.10.0']
const TIMEOUT_REPOSITORY = process.env.TIMEOUT_REPOSITORY ?? 'https://github.com/wahern/timeout.git'

const HERE = fileURLToPath(new URL('.', import.meta.url))
const JS_DRIVER = path.join(HERE, 'js/driver.js')
/** CPU time until a compiler at run time has settled, as a rule. */
const JIT_WARMUP_MS = 250
/** CPU time until the timers of compiled code are in memory. */
const WARMUP_MS = 20
/** Slow competitors take part in one round of this many. */
export const SELDOM = 3
/** The fastest of our own, and the plain form of the same idea. */
const OWN_QUEUES = ['lazy-wheel', 'hierarchical-wheel']

const execute = promisify(execFile)

/**
 * @typedef {object} Competitor
 * @property {string} name
 * @property {string} driver  Name of the driver alone, whose time is subtracted from its figures.
 * @property {string[]} command  Start of the command line; the path of a stream follows, and `last`.
 * @property {string[]} last  End of the command line.
 * @property {number} warmupMs
 * @property {boolean} followsStream  Its firings are known. False for the drivers alone, which fire nothing, for the
 *   runtimes' own timers, which follow the real clock, and for bitwheel, which fires far timers with their slot.
 * @property {boolean} expires  Can take part where expiries are measured.
 * @property {boolean} [isSeldom]  Takes part in one round of SELDOM: it costs as much time as all others together, and
 *   is so far behind that rough figures suffice.
 *
 * @typedef {object} Party  Competitors that are made together.
 * @property {string} name
 * @property {() => Promise<Competitor[]>} make
 */

/**
 * @param {{cache: string, extra: string[]}} options  `extra`: files of queues to add.
 * @returns {Party[]} the first competitor of the first party that could be made is the control
 */
export function partiesOf ({ cache, extra }) {
  const own = OWN_QUEUES.map(name => ({ name, file: queueFile(name) }))
  const added = extra.map(file => ({ name: file, file: path.resolve(file) }))
  return [
    { name: 'C', make: () => makeC(cache) },
    { name: 'Rust', make: () => makeRust(cache) },
    { name: 'Go', make: () => makeGo(cache) },
    ...NODES.map((version, i) => ({
      name: `Node ${version}`,
      make: async () =>
        javascript(`Node ${version}`, [(await resolveRuntime(version, [])).path], i === 0 ? [...own, ...added] : own)
    }))
  ]
}

/**
 * The control, the wanted competitors, and their drivers.
 *
 * @param {Competitor[]} competitors  The control is the first.
 * @param {(competitor: Competitor) => boolean} isWanted
 */
export function withDrivers (competitors, isWanted) {
  const subjects = competitors.filter(
    (competitor, i) => competitor.name !== competitor.driver && (i === 0 || isWanted(competitor))
  )
  const drivers = new Set(subjects.map(({ driver }) => driver))
  return competitors.filter(competitor => subjects.includes(competitor) || drivers.has(competitor.name))
}

/**
 * @param {string} cache
 * @returns {Promise<Competitor[]>}
 */
async function makeC (cache) {
  const source = path.join(cache, `timeout-${TIMEOUT_COMMIT}`)
  if (!existsSync(source)) {
    await run('git', ['clone', '--quiet', TIMEOUT_REPOSITORY, source], { GIT_TERMINAL_PROMPT: '0' })
  }
  await run('git', ['-C', source, 'checkout', '--quiet', TIMEOUT_COMMIT])
  const compile = async (/** @type {string} */ queue, /** @type {string[]} */ flags) => {
    const program = path.join(cache, `c-${queue}`)
    await run('gcc', [
      '-O3',
      '-march=native',
      '-std=gnu11',
      '-Wno-unused-function',
      ...flags,
      `-DQUEUE="${queue}.h"`,
      path.join(HERE, 'c/driver.c'),
      '-o',
      program
    ])
    return program
  }
  const native = { last: [], warmupMs: WARMUP_MS, expires: true, driver: 'C driver' }
  return [
    { ...native, name: 'C wahern/timeout', command: [await compile('wheel', ['-I', source])], followsStream: true },
    { ...native, name: 'C driver', command: [await compile('none', [])], followsStream: false }
  ]
}

/**
 * @param {string} cache
 * @returns {Promise<Competitor[]>}
 */
async function makeRust (cache) {
  const manifest = path.join(HERE, 'rust/Cargo.toml')
  const target = path.join(cache, 'rust')
  await run(
    'cargo',
    ['build', '--quiet', '--release', '--locked', '--manifest-path', manifest, '--target-dir', target],
    { RUSTFLAGS: '-C target-cpu=native' }
  )
  const pinned = readFileSync(manifest, 'utf8')
  const version = (/** @type {string} */ name) => new RegExp(`^${name} = .*?=([\\d.]+)`, 'm').exec(pinned)?.[1]
  const [driver, tokioDriver] = ['Rust driver', "Rust driver with tokio's clock"]
  /** @type {(queue: string, name: string, driver: string, followsStream?: boolean) => Competitor} */
  const competitor = (queue, name, driver, followsStream = true) => ({
    name,
    driver,
    followsStream,
    command: [path.join(target, 'release/league'), queue],
    last: [],
    warmupMs: WARMUP_MS,
    expires: true
  })
  return [
    competitor('nexus-timer', `Rust nexus-timer ${version('nexus-timer')}`, driver),
    competitor('bitwheel', `Rust bitwheel ${version('bitwheel')}`, driver, false),
    competitor(
      'quad-wheel',
      `Rust hierarchical_hash_wheel_timer ${version('hierarchical_hash_wheel_timer')}`,
      driver
    ),
    competitor('delay-queue', `Rust tokio-util ${version('tokio-util')} DelayQueue`, tokioDriver),
    competitor('none', driver, driver, false),
    competitor('none-tokio', tokioDriver, tokioDriver, false)
  ]
}

/**
 * @param {string} cache
 * @returns {Promise<Competitor[]>}
 */
async function makeGo (cache) {
  const program = path.join(cache, 'go')
  await run('go', ['build', '-o', program, path.join(HERE, 'go/driver.go')])
  const version = (await run('go', ['env', 'GOVERSION'])).trim().replace('go', 'Go ')
  const shared = { driver: `${version} driver`, last: [], warmupMs: WARMUP_MS, followsStream: false, expires: false }
  return [
    { ...shared, name: `${version} timers`, command: [program, 'runtime'] },
    { ...shared, name: `${version} driver`, command: [program, 'none'] }
  ]
}

/**
 * @param {string} runtime
 * @param {string[]} command
 * @param {{name: string, file: string}[]} files  Files of queues.
 * @returns {Competitor[]}
 */
function javascript (runtime, command, files) {
  const driver = `${runtime} driver`
  const shared = { driver, command: [...command, JS_DRIVER], warmupMs: JIT_WARMUP_MS }
  return [
    ...files.map(({ name, file }) => ({
      ...shared,
      name: `${runtime} ${name}`,
      last: [file],
      followsStream: true,
      expires: true
    })),
    {
      ...shared,
      name: `${runtime} setTimeout`,
      last: [path.join(HERE, 'js/own-timers.js')],
      followsStream: false,
      expires: false,
      isSeldom: true
    },
    { ...shared, name: driver, last: [path.join(HERE, 'js/none.js')], followsStream: false, expires: true }
  ]
}

/** @param {string} wanted */
function queueFile (wanted) {
  const { url } = /** @type {{url: string}} */ (queues.find(({ name }) => name === wanted))
  return fileURLToPath(url)
}

/**
 * @param {string} program
 * @param {string[]} args
 * @param {Record<string, string>} [env]  Added to the environment.
 * @returns {Promise<string>} its output
 * @throws {Error} of one line
 */
async function run (program, args, env = {}) {
  try {
    return (await execute(program, args, { env: { ...process.env, ...env } })).stdout
  } catch (error) {
    const { code, stderr, message } = /** @type {any} */ (error)
    if (code === 'ENOENT') throw new Error(`needs ${program}, which is not installed`)
    const lines = (stderr || message).trim().split('\n')
    throw new Error(
      `${program}: ${(lines.find((/** @type {string} */ line) => /error|fatal/i.test(line)) ?? lines.at(-1)).trim()}`
    )
  }
}
