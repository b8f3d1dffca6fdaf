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

test('no process is started through a shell', () => {
  assert.ok(sources.length > 100)
  for (const file of sources) {
    const text = readFileSync(file, 'utf8')
    const imported = [...text.matchAll(/import \{([^}]*)\} from 'node:child_process'/g)].flatMap(([, names]) =>
      names.split(',').map(name => name.trim())
    )
    assert.deepEqual(
      imported.filter(
        name =>
          !['spawn', 'spawnSync', 'execFile', 'execFileSync', 'fork', 'ChildProcess', 'SpawnOptions'].includes(name)
      ),
      [],
      file
    )
    assert.doesNotMatch(
      text,
      /import (?:\* as )?\w+ from 'node:child_process'|require\('(?:node:)?child_process'\)/,
      file
    )
    if (imported.length > 0) assert.doesNotMatch(text, /\bshell\s*:/, file)
  }
})
