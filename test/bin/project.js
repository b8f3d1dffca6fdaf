/** A project of a user in a separate folder. */
import assert from 'node:assert/strict'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { createRepository } from '../harness/gate/repository.js'
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
  const { root, git, write, commit } = createRepository(t, temporaryFolder(t))
  cpSync(HEAP, path.join(root, 'src/heap.js'))
  cpSync(PARTS, path.join(root, 'src/parts/indexed-heap.js'))
  write('package.json', '{ "type": "module" }\n')
  write('.gitignore', 'results/\n')
  commit('Begin')
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
    write,
    commit,
    edit,
    slowDown: (/** @type {string} */ name = 'src/heap.js') =>
      edit(source => source.replace('\n  reschedule (timer, deadline) {\n', SLOW_RESCHEDULE), name)
  }
}

/**
 * The heap as a workspace, which the queue that is gated imports by name.
 *
 * @param {import('node:test').TestContext} t
 */
export function workspaces (t) {
  const { root, write, commit, slowDown } = project(t)
  cpSync(path.join(root, 'src'), path.join(root, 'packages/heap'), { recursive: true })
  write('packages/heap/package.json', '{ "name": "heap", "type": "module", "exports": "./heap.js" }\n')
  write('package.json', '{ "type": "module", "workspaces": ["packages/*"] }\n')
  write('.gitignore', 'results/\nnode_modules/\n')
  write('src/heap.js', "export * from 'heap'\n")
  mkdirSync(path.join(root, 'node_modules'))
  commit('Move the heap to a workspace')
  return { root, link: path.join(root, 'node_modules/heap'), slowDown: () => slowDown('packages/heap/heap.js') }
}
