/** What is kept of a machine, and which processes start a shell or use the network. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { captureEnvironment } from '../../harness/processes/environment.js'

/** What may be kept of a machine; anything new is looked at before it is added here. */
const ALLOWED = [
  'cpu',
  'cores',
  'memoryBytes',
  'machine',
  'kernel',
  'governor',
  'stealPercent',
  'loadAverage',
  'node',
  'v8',
  'gitCommit',
  'clock',
  'pinning',
  'loadGenerator',
  'timerq'
]

test('what is kept of a machine is an allow-list, without anything of the environment variables', t => {
  const secret = 'hunter2-s3cr3t'
  const names = [
    'AWS_SECRET_ACCESS_KEY',
    'GITHUB_TOKEN',
    'NPM_TOKEN',
    'NODE_OPTIONS_SECRET',
    'USER',
    'HOME',
    'HOSTNAME',
    'LOGNAME',
    'PWD',
    'TIMERQ_SECRET'
  ]
  const before = names.map(name => [name, process.env[name]])
  t.after(() => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[/** @type {string} */ (name)]
      else process.env[/** @type {string} */ (name)] = value
    }
  })
  for (const name of names) process.env[name] = secret
  const environment = captureEnvironment({ pinning: 'none', loadGenerator: 'none' })
  assert.doesNotMatch(JSON.stringify(environment), new RegExp(secret))
  assert.deepEqual(
    Object.keys(environment).filter(name => !ALLOWED.includes(name)),
    []
  )
})

const PROJECT = fileURLToPath(new URL('../../', import.meta.url))
const sources = ['bin', 'harness', 'reports', 'queues', 'scenarios', 'timers'].flatMap(folder =>
  readdirSync(path.join(PROJECT, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && entry.name.endsWith('.js'))
    .map(({ parentPath, name }) => path.join(parentPath, name))
)

/** Functions of node:child_process that start no shell by themselves. */
const PLAIN = ['spawn', 'spawnSync', 'execFile', 'execFileSync', 'fork', 'ChildProcess', 'SpawnOptions']
const SHELL = /\bshell\b\s*[:,}]|['"`](?:\/bin\/)?(?:sh|bash|dash|zsh|cmd(?:\.exe)?|powershell|pwsh)['"`]/
/** Words of commands that reach a registry or a remote. */
const NETWORK =
  /['"`](?:(?:npm|pnpm|yarn|bun)(?: (?:ci|install|exec)\b|['"`])|(?:npx|curl|wget|ls-remote|fetch|clone|pull)[ '"`])/
/** A module that starts processes, or hands commands to one that does. */
const STARTS = /['"](?:node:)?child_process['"]|\/(?:processes|git|commands|answer|child)\.js'/
const textOf = (/** @type {string} */ file) =>
  readFileSync(file, 'utf8').replaceAll(/^ *(?:\/\*)?\*.*$|\/\*\*.*\*\/|\/\/ .*$/gm, '')
const starting = (/** @type {RegExp} */ words) =>
  sources
    .filter(file => STARTS.test(textOf(file)) && words.test(textOf(file)))
    .map(file => path.relative(PROJECT, file))
    .sort()

test('a shell runs the commands of a side, and batch files on Windows, as the threat model says', () => {
  assert.ok(sources.length > 100)
  for (const file of sources) {
    const imported = [...textOf(file).matchAll(/import \{([^}]*)\} from '(?:node:)?child_process'/g)].flatMap(
      ([, names]) => names.split(',').map(name => name.trim())
    )
    assert.deepEqual(
      imported.filter(name => !PLAIN.includes(name)),
      [],
      file
    )
    assert.doesNotMatch(textOf(file), /import (?:\* as )?\w+ from '(?:node:)?child_process'/, file)
  }
  assert.deepEqual(starting(SHELL), ['harness/gate/setup.js'])
  // Batch files of Windows run in its shell.
  const batch = sources.filter(file => /cmd\.exe/.test(textOf(file))).map(file => path.relative(PROJECT, file))
  assert.deepEqual(batch, ['harness/processes/start.windows.js'])
})

test('two files have words that use the network, and docs/reference/safety.md lists each case', () => {
  assert.deepEqual(starting(NETWORK), [
    'harness/gate/setup.js',
    'harness/processes/runtimes.js'
  ])
  const page = readFileSync(path.join(PROJECT, 'docs/reference/safety.md'), 'utf8')
  const [, section] = /^## Shell and network\n([^]*?)^## /m.exec(page) ?? []
  for (const word of [
    '--install',
    '--prepare',
    'partial clone',
    'cmd.exe',
    '--runtime 24'
  ]) {
    assert.ok(section?.includes(word), word)
  }
})
