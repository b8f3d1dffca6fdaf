import { test } from 'node:test'
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { isInCommit, repositoryRoot, resolveCommit, Sides } from '../../../harness/gate/sides.js'
import { temporaryFolder } from '../temporary-folder.js'

/** @param {import('node:test').TestContext} t */
function repository (t) {
  const root = temporaryFolder(t)
  const git = (/** @type {string[]} */ ...args) => execFileSync('git', ['-C', root, '-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], { stdio: 'pipe' })
  git('init', '--quiet')
  mkdirSync(path.join(root, 'src'))
  mkdirSync(path.join(root, 'node_modules/heap'), { recursive: true })
  writeFileSync(path.join(root, '.gitignore'), 'node_modules/\nresults/\n')
  writeFileSync(path.join(root, 'src/wheel.js'), 'before')
  git('add', '.')
  git('commit', '--quiet', '--message', 'base')
  writeFileSync(path.join(root, 'src/wheel.js'), 'after')
  writeFileSync(path.join(root, 'src/new.js'), 'new')
  const folder = path.join(root, 'results/gate/sides')
  const prepare = () => new Sides(folder).prepare(root, resolveCommit(root, 'HEAD'), ['src/wheel.js'])
  return { root, folder, git, prepare }
}

/** @param {{base: string, head: string}} folders */
const contents = ({ base, head }) => [base, head].map(folder => readFileSync(path.join(folder, 'src/wheel.js'), 'utf8'))

test('the base is the revision, the head the working tree with its new files', t => {
  const { folder, prepare } = repository(t)
  prepare()
  const folders = new Sides(folder).place(false)
  assert.deepEqual(contents(folders), ['before', 'after'])
  assert.ok(existsSync(path.join(folders.head, 'src/new.js')) && !existsSync(path.join(folders.base, 'src/new.js')))
  assert.ok(existsSync(path.join(folders.base, 'node_modules/heap')) && existsSync(path.join(folders.head, 'node_modules/heap')))
})

test('sides change places, at paths of equal length', t => {
  const { folder, prepare } = repository(t)
  prepare()
  const sides = new Sides(folder)
  const straight = sides.place(false)
  assert.equal(straight.base.length, straight.head.length)
  const swapped = sides.place(true)
  assert.deepEqual(contents(swapped), ['before', 'after'])
  assert.deepEqual(swapped, { base: straight.head, head: straight.base })
  assert.deepEqual(contents(sides.place(true)), ['before', 'after'])
  assert.deepEqual(contents(new Sides(folder).place(false)), ['before', 'after'])
})

for (const [from, to] of [['a', 'c'], ['b', 'c']]) {
  test(`a gate killed while ${from} had no name finds its sides again`, t => {
    const { folder, prepare } = repository(t)
    prepare()
    renameSync(path.join(folder, from), path.join(folder, to))
    const sides = new Sides(folder)
    assert.ok(sides.areThere)
    assert.deepEqual(contents(sides.place(true)), ['before', 'after'])
  })
}

test('nothing is left in the repository', t => {
  const { root, folder, git, prepare } = repository(t)
  const before = String(git('status', '--porcelain'))
  prepare()
  new Sides(folder).remove()
  assert.ok(!existsSync(folder))
  assert.equal(String(git('status', '--porcelain')), before)
  assert.equal(String(git('worktree', 'list')).trim().split('\n').length, 1)
  assert.equal(readFileSync(path.join(root, 'src/wheel.js'), 'utf8'), 'after')
})

test("the user's own worktrees are kept, also where their disk is not mounted now", t => {
  const { root, git, prepare } = repository(t)
  const away = path.join(temporaryFolder(t), 'stick')
  git('worktree', 'add', '--quiet', '--detach', away)
  renameSync(away, `${away}-unmounted`)
  prepare()
  renameSync(`${away}-unmounted`, away)
  const listed = String(git('worktree', 'list', '--porcelain')).split('\n').filter(line => line.startsWith('worktree '))
  assert.deepEqual(listed, [`worktree ${root}`, `worktree ${away}`])
  assert.equal(String(execFileSync('git', ['-C', away, 'status', '--porcelain'])), '')
})

test('what a revision holds is known without checking it out', t => {
  const { root } = repository(t)
  assert.equal(isInCommit(root, 'HEAD', 'src/wheel.js'), true)
  assert.equal(isInCommit(root, 'HEAD', 'src/new.js'), false)
})

test('no repository, or no such revision, is told with a remedy', t => {
  const { root } = repository(t)
  assert.throws(() => repositoryRoot(path.parse(root).root), { exitCode: 2, message: /no git repository/ })
  assert.throws(() => resolveCommit(root, 'mian'), { exitCode: 2, message: /"mian".*git fetch/ })
})
