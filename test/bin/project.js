import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { words } from './timerq.js'

const HEAP = fileURLToPath(new URL('../fixtures/queues/heap.js', import.meta.url))
const PARTS = fileURLToPath(new URL('../../queues/parts/indexed-heap.js', import.meta.url))
const SLOW_RESCHEDULE = `
  reschedule (timer, deadline) {
    let waste = 0
    for (let i = 0; i < 60; i++) waste = Math.imul(waste + i, 31)
    if (waste === 7) deadline++
`

export const ONE_CELL = words`--queue ./src/heap.js --scenario refresh-one-duration --size 1000 --seed 1`
/** Enough for counts, and for sides that are broken. */
export const ONE_HEAT = ['--rounds', '1']

/**
 * A user's project: a heap, committed.
 *
 * @param {import('node:test').TestContext} t
 */
export function project (t) {
  const root = temporaryFolder(t)
  cpSync(HEAP, path.join(root, 'src/heap.js'))
  cpSync(PARTS, path.join(root, 'src/parts/indexed-heap.js'))
  writeFileSync(path.join(root, 'package.json'), '{ "type": "module" }\n')
  writeFileSync(path.join(root, '.gitignore'), 'results/\n')
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
      cwd: root,
      encoding: 'utf8',
      stdio: 'pipe'
    })
  git('init', '--quiet', '--initial-branch', 'main')
  git('add', '.')
  git('commit', '--quiet', '--message', 'Begin')
  /**
   * @param {(source: string) => string} change
   * @param {string} [name]
   */
  const edit = (change, name = 'src/heap.js') => {
    const file = path.join(root, name)
    const source = readFileSync(file, 'utf8')
    assert.notEqual(change(source), source)
    writeFileSync(file, change(source))
  }
  return {
    root,
    git,
    edit,
    slowDown: (/** @type {string} */ name = 'src/heap.js') =>
      edit(source => source.replace('\n  reschedule (timer, deadline) {\n', SLOW_RESCHEDULE), name)
  }
}

/**
 * The heap as a workspace of its own, which the queue that is gated imports by name.
 *
 * @param {import('node:test').TestContext} t
 */
export function workspaces (t) {
  const { root, git, slowDown } = project(t)
  const heap = path.join(root, 'packages/heap')
  mkdirSync(heap, { recursive: true })
  cpSync(path.join(root, 'src'), heap, { recursive: true })
  writeFileSync(path.join(heap, 'package.json'), '{ "name": "heap", "type": "module", "exports": "./heap.js" }\n')
  writeFileSync(path.join(root, 'package.json'), '{ "type": "module", "workspaces": ["packages/*"] }\n')
  writeFileSync(path.join(root, '.gitignore'), 'results/\nnode_modules/\n')
  writeFileSync(path.join(root, 'src/heap.js'), "export * from 'heap'\n")
  mkdirSync(path.join(root, 'node_modules'))
  git('add', '.')
  git('commit', '--quiet', '--message', 'Move the heap to a workspace')
  return { root, git, link: path.join(root, 'node_modules/heap'), slowDown: () => slowDown('packages/heap/heap.js') }
}
