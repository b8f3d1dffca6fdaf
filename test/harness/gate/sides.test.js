import { test } from 'node:test'
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readlinkSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { changedFiles, isInCommit, isWithin, LOCKFILES, repositoryRoot, resolveCommit, Sides } from '../../../harness/gate/sides.js'
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
  const prepare = () => new Sides(folder).prepare(root, resolveCommit(root, 'HEAD'))
  return { root, folder, git, prepare }
}

/** @param {import('../../../harness/gate/sides.js').Folders} folders */
const contents = ({ base, head, again }) => [base, head, again].map(folder => readFileSync(path.join(folder, 'src/wheel.js'), 'utf8'))
const AS_PLANNED = ['before', 'after', 'before']

test('base and sham head are the revision, the head is the working tree with its new files', t => {
  const { folder, prepare } = repository(t)
  prepare()
  const folders = new Sides(folder).place(0)
  assert.deepEqual(contents(folders), AS_PLANNED)
  assert.deepEqual(Object.values(folders).map(side => existsSync(path.join(side, 'src/new.js'))), [false, true, false])
  assert.deepEqual(Object.values(folders).map(side => existsSync(path.join(side, 'node_modules/heap'))), [true, true, true])
})

test('what was deleted, and the folder of the sides itself, is not in the head', t => {
  const { root, folder, prepare } = repository(t)
  writeFileSync(path.join(root, '.gitignore'), 'node_modules/\n')
  rmSync(path.join(root, 'src/wheel.js'))
  prepare()
  const { base, head } = new Sides(folder).place(0)
  assert.deepEqual([base, head].map(side => existsSync(path.join(side, 'src/wheel.js'))), [true, false])
  assert.deepEqual([existsSync(path.join(head, 'src/new.js')), existsSync(path.join(head, 'results'))], [true, false])
})

test('sides take turns at paths of equal length', t => {
  const { folder, prepare } = repository(t)
  prepare()
  const sides = new Sides(folder)
  const turns = [0, 1, 2].map(turn => {
    const folders = sides.place(turn)
    assert.deepEqual(contents(folders), AS_PLANNED)
    return folders
  })
  for (const arm of /** @type {const} */ (['base', 'head', 'again'])) assert.equal(new Set(turns.map(folders => folders[arm])).size, 3)
  assert.equal(new Set(turns.flatMap(folders => Object.values(folders)).map(({ length }) => length)).size, 1)
  assert.deepEqual(contents(new Sides(folder).place(0)), AS_PLANNED)
})

for (const [place, arm] of [['a', 'base'], ['b', 'head'], ['c', 'again']]) {
  test(`a gate killed while the ${arm} had no place finds its sides again`, t => {
    const { folder, prepare } = repository(t)
    prepare()
    renameSync(path.join(folder, place), path.join(folder, arm))
    const sides = new Sides(folder)
    assert.ok(sides.areThere)
    assert.deepEqual(contents(sides.place(1)), AS_PLANNED)
  })
}

test('a gate that has lost a side knows it', t => {
  const { folder, prepare } = repository(t)
  prepare()
  rmSync(path.join(folder, 'c'), { recursive: true })
  assert.equal(new Sides(folder).areThere, false)
})

test('links and packages that lead into the repository lead to the own copy of each side', async t => {
  const { root, folder, git, prepare } = repository(t)
  const write = (/** @type {string} */ file, /** @type {string} */ text) => {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
    writeFileSync(path.join(root, file), text)
  }
  write('package.json', JSON.stringify({ type: 'module', workspaces: ['packages/*'], dependencies: { copied: 'file:./packages/copied' } }))
  for (const name of ['linked', 'scoped', 'copied', 'deep']) {
    write(`packages/${name}/package.json`, JSON.stringify({ name, type: 'module', exports: './index.js' }))
    write(`packages/${name}/index.js`, `export default '${name} before'\n`)
  }
  write('node_modules/copied/index.js', "export default 'the package manager made a copy'\n")
  write('node_modules/installed/index.js', "export default 'installed'\n")
  mkdirSync(path.join(root, 'node_modules/@scope'))
  mkdirSync(path.join(root, 'packages/linked/node_modules'))
  symlinkSync('../packages/linked', path.join(root, 'node_modules/linked'))
  symlinkSync('../packages/gone', path.join(root, 'node_modules/broken'))
  symlinkSync('../../packages/scoped', path.join(root, 'node_modules/@scope/scoped'))
  symlinkSync('../../deep', path.join(root, 'packages/linked/node_modules/deep'))
  symlinkSync(path.join(root, 'packages/linked'), path.join(root, 'src/absolute'))
  symlinkSync('../packages/linked/index.js', path.join(root, 'src/relative.js'))
  git('add', '.')
  git('commit', '--quiet', '--message', 'workspaces')
  for (const name of ['linked', 'scoped', 'copied', 'deep']) write(`packages/${name}/index.js`, `export default '${name} after'\n`)
  prepare()

  for (const turn of [0, 1, 2]) {
    const folders = new Sides(folder).place(turn)
    for (const [side, when] of [[folders.base, 'before'], [folders.head, 'after'], [folders.again, 'before']]) {
      for (const file of ['node_modules/linked/index.js', 'node_modules/@scope/scoped/index.js', 'node_modules/copied/index.js',
        'packages/linked/node_modules/deep/index.js', 'src/absolute/index.js', 'src/relative.js']) {
        assert.match(readFileSync(path.join(side, file), 'utf8'), new RegExp(`${when}'`), `${file}, turn ${turn}`)
      }
      assert.equal(realpathSync(path.join(side, 'node_modules/installed')), path.join(root, 'node_modules/installed'))
    }
  }
})

test('a folder that a link has replaced is that link in the head, and what it leads to is not touched', t => {
  const { root, folder, prepare } = repository(t)
  const elsewhere = temporaryFolder(t)
  writeFileSync(path.join(elsewhere, 'target.js'), 'elsewhere')
  symlinkSync('target.js', path.join(elsewhere, 'wheel.js'))
  rmSync(path.join(root, 'src'), { recursive: true })
  symlinkSync(elsewhere, path.join(root, 'src'))
  prepare()
  assert.deepEqual(contents(new Sides(folder).place(0)), ['before', 'elsewhere', 'before'])
  assert.equal(readlinkSync(path.join(elsewhere, 'wheel.js')), 'target.js')
})

test('a module of another side or of the working tree is foreign; an installed package is not', t => {
  const { root, folder, prepare } = repository(t)
  prepare()
  const sides = new Sides(folder)
  const { base, head } = sides.place(0)
  const find = (/** @type {string[]} */ ...files) => sides.findForeign(files.map(file => pathToFileURL(file).href), base, root)
  assert.equal(find(path.join(base, 'src/wheel.js'), path.join(root, 'node_modules/heap/index.js'), '/elsewhere/index.js'), undefined)
  assert.equal(find(path.join(base, 'src/wheel.js'), path.join(head, 'src/wheel.js')), path.join(head, 'src/wheel.js'))
  assert.equal(find(path.join(root, 'src/wheel.js')), path.join(root, 'src/wheel.js'))
})

test('a folder holds itself and what is in it, not its neighbours', () => {
  assert.deepEqual(['/side/a', '/side/a/b', '/side/ab', '/side', '/side/b'].map(file => isWithin('/side/a', file)), [true, true, false, false, false])
})

test('no package.json of the repository speaks for a side without one', t => {
  const { root, folder, prepare } = repository(t)
  writeFileSync(path.join(root, 'package.json'), '{ "type": "module" }')
  prepare()
  assert.equal(existsSync(path.join(new Sides(folder).place(0).base, 'package.json')), false)
  assert.equal(readFileSync(path.join(folder, 'package.json'), 'utf8'), '{}\n')
})

test('files that changed or are new are found', t => {
  const { root, git } = repository(t)
  writeFileSync(path.join(root, 'package-lock.json'), '{}')
  git('add', '.')
  git('commit', '--quiet', '--message', 'lock')
  assert.deepEqual(changedFiles(root, 'HEAD', LOCKFILES), [])
  writeFileSync(path.join(root, 'package-lock.json'), '{ "lockfileVersion": 3 }')
  writeFileSync(path.join(root, 'src/yarn.lock'), '')
  assert.deepEqual(changedFiles(root, 'HEAD', LOCKFILES), ['package-lock.json', 'src/yarn.lock'])
  assert.deepEqual(changedFiles(root, 'HEAD', [path.join(root, 'src')]), ['src/yarn.lock'])
  assert.deepEqual(changedFiles(root, 'HEAD', []), [])
})

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

test('files of a revision are found without checking it out', t => {
  const { root } = repository(t)
  assert.equal(isInCommit(root, 'HEAD', 'src/wheel.js'), true)
  assert.equal(isInCommit(root, 'HEAD', 'src/new.js'), false)
})

test('no repository, or no such revision, is reported with a remedy', t => {
  const { root } = repository(t)
  assert.throws(() => repositoryRoot(path.parse(root).root), { exitCode: 2, message: /no git repository/ })
  assert.throws(() => resolveCommit(root, 'mian'), { exitCode: 2, message: /"mian".*git fetch/ })
})
