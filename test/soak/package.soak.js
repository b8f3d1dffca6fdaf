/** The package from the point of view of whoever installs it. Needs the npm registry. */
import { before, test } from 'node:test'
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pack } from '../package/pack.js'

/** Other versions find other faults. */
const ARE_THE_TYPES_WRONG = '@arethetypeswrong/cli@0.18.5'

const folder = mkdtempSync(path.join(os.tmpdir(), 'timerq-soak-package-'))
const project = path.join(folder, 'project')
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

/** @type {string} */
let tarball
before(() => {
  tarball = pack(folder)
  mkdirSync(project)
  run('npm', 'init', '-y')
})

/**
 * @param {string} command
 * @param {string[]} args
 */
function run (command, ...args) {
  const { NODE_TEST_CONTEXT, ...env } = process.env
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: project, encoding: 'utf8', env })
  assert.equal(status, 0, `${command} ${args.join(' ')}\n${stdout}${stderr}`)
  return { stdout, stderr }
}

test('it installs without a warning', t => {
  const { stderr } = run('npm', 'install', '--no-audit', '--no-fund', tarball)
  assert.doesNotMatch(stderr, /EBADENGINE|deprecated|install-scripts/)
  const entries = readdirSync(path.join(project, 'node_modules'), { recursive: true, encoding: 'utf8' })
  const packages = entries.filter(entry => /(^|node_modules\/)(@[^/]+\/)?[^@/.][^/]*\/package\.json$/.test(entry))
  const bytes = entries
    .map(entry => statSync(path.join(project, 'node_modules', entry)))
    .reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0)
  t.diagnostic(
    `${packages.length} packages, ${(bytes / 1e6).toFixed(1)} MB; the tarball has ${(statSync(tarball).size / 1e3).toFixed(0)} kB`
  )
})

test('it measures, and profiles', () => {
  const { stdout } = run(
    'npx',
    'timerq',
    'run',
    '--queue',
    'lazy-wheel,duration-lists',
    '--scenario',
    'start-cancel',
    '--size',
    '50',
    '--preset',
    'ci',
    '--json'
  )
  assert.equal(JSON.parse(stdout).cells.length, 2)
  run(
    'npx',
    'timerq',
    'profile',
    '--queue',
    'lazy-wheel',
    '--preset',
    'ci',
    '--out',
    'profiles'
  )
  const files = readdirSync(path.join(project, 'profiles'), { recursive: true, encoding: 'utf8' })
  assert.ok(files.some(file => file.endsWith('.heavy.txt')))
})

test('a new queue keeps the contract there', () => {
  run('npx', 'timerq', 'new', 'egg-timer')
  const written = readdirSync(project).find(file => /^egg-timer\.m?js$/.test(file))
  run('npx', 'timerq', 'check', `./${written}`)
})

test('the types are not wrong', () => {
  run('npx', '--yes', ARE_THE_TYPES_WRONG, '--profile', 'esm-only', tarball)
})
