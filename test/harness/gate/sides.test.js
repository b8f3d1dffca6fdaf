/** The folders of a gate's sides, made by git from repositories as people have them. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync
} from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { isWithin } from '../../../harness/gate/paths.js'
import { prepareSides, resultsBeside, straysAmong } from '../../../harness/gate/sides.js'
import { repositoryRoot } from '../../../harness/gate/revisions.js'
import { temporaryFolder } from '../temporary-folder.js'
import { createRepository } from './repository.js'

/** @param {import('node:test').TestContext} t */
function repository (t) {
  const { root, git, write, commit, addSubmodule } = createRepository(t)
  write('node_modules/heap/index.js', '')
  write('.gitignore', 'node_modules/\nresults/\n')
  write('src/wheel.js', 'before')
  commit()
  write('src/wheel.js', 'after')
  write('src/new.js', 'new')
  const folder = path.join(root, 'results/gate/sides')
  mkdirSync(path.dirname(folder), { recursive: true })
  const make = (options = {}, results = /** @type {string[]} */ ([])) =>
    prepareSides(folder, { root, baseCommit: git('rev-parse', 'HEAD'), ...options }, results)
  const prepare = (options = {}) => make(options).sides
  return { root, git, write, commit, addSubmodule, make, prepare }
}

test('a working tree that has other line ends than the repository is unchanged', t => {
  const { root, git, write, commit, make } = repository(t)
  write('src/wheel.js', 'one\ntwo\n')
  commit()
  git('config', 'core.autocrlf', 'true')
  rmSync(path.join(root, 'src/wheel.js'))
  git('checkout', '--', 'src')
  const checkedOut = readFileSync(path.join(root, 'src/wheel.js'), 'utf8')
  assert.equal(checkedOut, 'one\r\ntwo\r\n')
  const { changed, sides } = make()
  assert.deepEqual(changed, [])
  assert.deepEqual(contents(sides), [checkedOut, checkedOut, checkedOut])
})

/**
 * @param {ReturnType<typeof prepareSides>['sides']} sides
 * @param {string} file
 */
const contents = ({ base, head, control }, file = 'src/wheel.js') =>
  [base, head, control].map(({ folder }) => {
    const name = path.join(folder, file)
    return existsSync(name) ? readFileSync(name, 'utf8') : null
  })
const AS_PLANNED = ['before', 'after', 'before']

test('base and control are the revision, the head is the working tree with its new files, at paths of ' +
  'equal length', t => {
  const { prepare } = repository(t)
  const folders = prepare()
  assert.deepEqual(contents(folders), AS_PLANNED)
  assert.deepEqual(contents(folders, 'src/new.js'), [null, 'new', null])
  assert.deepEqual(contents(folders, 'node_modules/heap/index.js'), ['', '', ''])
  assert.equal(new Set(Object.values(folders).map(({ folder }) => folder.length)).size, 1)
})

test('a benchmark file that git ignores is a file of the head, and other ignored files are not', t => {
  const { write, make } = repository(t)
  write('results/new.bench.js', 'new')
  write('results/other.js', 'other')
  const { changed, sides } = make({ benchmarks: ['results/new.bench.js', 'src/new.js'] })
  assert.deepEqual(changed, ['results/new.bench.js', 'src/new.js', 'src/wheel.js'])
  assert.deepEqual(contents(sides, 'results/new.bench.js'), [null, 'new', null])
})

test('results are no part of the head, whether git ignores them or not, unless they are tracked', t => {
  const { root, git, write, commit, make } = repository(t)
  const treeOf = (/** @type {string[]} */ ...results) =>
    make({}, results.flatMap(name => resultsBeside(path.join(root, name)))).trees.head
  write('results/gate/run.json', 'its own')
  assert.equal(treeOf('results/gate'), treeOf(), 'they are ignored')
  write('.gitignore', 'node_modules/\n')
  write('kept/run.json', 'tracked')
  rmSync(path.join(root, 'results'), { recursive: true })
  commit()
  write('results/gate/run.json', 'its own')
  const before = treeOf('results/gate')
  assert.equal(before, git('rev-parse', 'HEAD^{tree}').trim())
  write('results/gate/samples.jsonl', 'a sample')
  write('results/other/run.json', 'another')
  assert.equal(treeOf('results/gate', 'kept'), before)
  write('results/code.js', 'no results')
  assert.notEqual(treeOf('results/gate'), before)
})

for (const [
  title,
  change,
  file,
  expected
] of /** @type {[string, (made: ReturnType<typeof repository>) => void, string, (string | null)[]][]} */ ([
    [
      'a deleted file',
      ({ root }) => rmSync(path.join(root, 'src/wheel.js')),
      'src/wheel.js',
      ['before', null, 'before']
    ],
    [
      'a staged file that has changed since',
      ({ git, write }) => {
        git('add', '.')
        write('src/wheel.js', 'again')
      },
      'src/wheel.js',
      ['before', 'again', 'before']
    ],
    [
      'a tracked file that is ignored',
      ({ git, write }) => {
        write('results/kept.js', 'kept')
        git('add', '--force', 'results/kept.js')
      },
      'results/kept.js',
      [null, 'kept', null]
    ],
    ['an ignored file', ({ write }) => write('results/other.js', 'other'), 'results/other.js', [null, null, null]],
    [
      'a file with a strange name',
      ({ write }) => write('src/ü "\n*.js', 'strange'),
      'src/ü "\n*.js',
      [null, 'strange', null]
    ],
    [
      'a merge with a conflict',
      ({ git, write, commit }) => {
        git('checkout', '--quiet', '-b', 'other')
        commit()
        git('checkout', '--quiet', '-')
        write('src/wheel.js', 'mine')
        commit()
        try {
          git('merge', 'other')
        } catch {}
        write('src/wheel.js', 'not solved')
      },
      'src/wheel.js',
      ['mine', 'not solved', 'mine']
    ]
  ])) {
  test(`${title} is on each side as it is there`, t => {
    const made = repository(t)
    change(made)
    assert.deepEqual(contents(made.prepare(), file), expected)
  })
}

test('an edit of the same length in the second after a commit is seen', t => {
  const { root, git, write, commit, prepare } = repository(t)
  commit()
  git('config', 'core.trustctime', 'false')
  const date = (/** @type {string} */ file) => utimesSync(path.join(root, file), 1e9, 1e9)
  date('src/wheel.js')
  git('update-index', '--refresh')
  date('.git/index')
  write('src/wheel.js', 'afteR')
  date('src/wheel.js')
  assert.equal(contents(prepare())[1], 'afteR')
})

test('the packages of workspaces lead to the own copy of each side; other packages are shared', t => {
  const { root, write, commit, prepare } = repository(t)
  write('package.json', { workspaces: ['packages/*'] })
  for (const name of ['linked', 'scoped', 'deep']) write(`packages/${name}/index.js`, 'before')
  write('node_modules/.store/stored/index.js', 'stored')
  write('node_modules/@scope/installed/index.js', 'installed')
  mkdirSync(path.join(root, 'packages/linked/node_modules'))
  const elsewhere = temporaryFolder(t)
  writeFileSync(path.join(elsewhere, 'index.js'), 'elsewhere')
  for (const [link, target] of [
    ['node_modules/linked', '../packages/linked'],
    ['node_modules/@scope/scoped', '../../packages/scoped'],
    ['packages/linked/node_modules/deep', '../../deep'],
    ['node_modules/stored', '.store/stored'],
    ['node_modules/broken', '../packages/gone'],
    ['node_modules/absolute', path.join(root, 'packages/linked')],
    ['node_modules/outside', path.relative(path.join(root, 'node_modules'), elsewhere)],
    ['src/relative', '../packages/linked']
  ]) {
    symlinkSync(target, path.join(root, link))
  }
  commit()
  for (const name of ['linked', 'scoped', 'deep']) write(`packages/${name}/index.js`, 'after')
  const folders = prepare()
  for (const link of [
    'node_modules/linked',
    'node_modules/@scope/scoped',
    'packages/linked/node_modules/deep',
    'node_modules/absolute',
    'src/relative'
  ]) {
    assert.deepEqual(contents(folders, `${link}/index.js`), AS_PLANNED, link)
  }
  for (const [name, text] of Object.entries({
    stored: 'stored',
    '@scope/installed': 'installed',
    outside: 'elsewhere'
  })) {
    assert.deepEqual(contents(folders, `node_modules/${name}/index.js`), [text, text, text])
  }
  assert.equal(
    realpathSync(path.join(folders.base.folder, 'node_modules/stored')),
    path.join(root, 'node_modules/.store/stored')
  )
})

test('tracked packages are kept next to installed ones, which replace a tracked link that leads nowhere', t => {
  const { root, git, write, commit, prepare } = repository(t)
  write('.gitignore', 'node_modules/*\n!node_modules/src\n!node_modules/@scope\n!node_modules/gone\nresults/\n')
  symlinkSync('../src', path.join(root, 'node_modules/src'))
  symlinkSync('../../elsewhere', path.join(root, 'node_modules/gone'))
  write('node_modules/@scope/tracked/index.js', 'tracked')
  git('add', '--force', 'node_modules/@scope')
  write('src/wheel.js', 'before')
  commit()
  write('src/wheel.js', 'after')
  write('node_modules/@scope/installed/index.js', 'installed')
  rmSync(path.join(root, 'node_modules/gone'))
  write('node_modules/gone/index.js', 'here')
  const folders = prepare()
  assert.deepEqual(contents(folders, 'node_modules/src/wheel.js'), AS_PLANNED)
  for (const [name, text] of [
    ['heap', ''],
    ['@scope/tracked', 'tracked'],
    ['@scope/installed', 'installed'],
    ['gone', 'here']
  ]) {
    assert.deepEqual(contents(folders, `node_modules/${name}/index.js`), [text, text, text], name)
  }
})

for (const [title, target] of [
  ['to nowhere', '/home/somebody/project/node_modules'],
  ['to a neighbour that only the repository has', '../packages']
]) {
  test(`a node_modules that was committed as a link ${title} is replaced by the installed packages`, t => {
    const { root, write, commit, prepare } = repository(t)
    rmSync(path.join(root, 'node_modules'), { recursive: true })
    symlinkSync(target, path.join(root, 'node_modules'))
    write('.gitignore', 'results/\n')
    commit()
    if (target.startsWith('/')) rmSync(path.join(root, 'node_modules'))
    else mkdirSync(path.resolve(root, target))
    write('node_modules/heap/index.js', 'installed')
    assert.deepEqual(contents(prepare(), 'node_modules/heap/index.js'), ['installed', 'installed', 'installed'])
  })
}

test('a folder that a link has replaced is that link in the head, and its target is not touched', t => {
  const { root, prepare } = repository(t)
  const elsewhere = temporaryFolder(t)
  writeFileSync(path.join(elsewhere, 'target.js'), 'elsewhere')
  symlinkSync('target.js', path.join(elsewhere, 'wheel.js'))
  rmSync(path.join(root, 'src'), { recursive: true })
  symlinkSync(elsewhere, path.join(root, 'src'))
  assert.deepEqual(contents(prepare()), ['before', 'elsewhere', 'before'])
  assert.equal(readlinkSync(path.join(elsewhere, 'wheel.js')), 'target.js')
})

test('a submodule is checked out on each side: as the commit says, and in the head as it is now', t => {
  const { write, addSubmodule, prepare } = repository(t)
  addSubmodule(repository(t).root)
  write('sub/src/wheel.js', 'edited')
  write('sub/src/new.js', 'new')
  assert.deepEqual(contents(prepare(), 'sub/src/wheel.js'), ['before', 'edited', 'before'])
  assert.deepEqual(contents(prepare(), 'sub/src/new.js'), [null, 'new', null])
  assert.deepEqual(contents(prepare({ isSelfCheck: true }), 'sub/src/wheel.js'), ['before', 'before', 'before'])
})

const RUN_GATE = `import { readFileSync } from 'node:fs'
import { prepareSides } from '${new URL('../../../harness/gate/sides.js', import.meta.url)}'
import { repositoryRoot, resolveRevision } from '${new URL('../../../harness/gate/revisions.js', import.meta.url)}'
import { runInSide } from '${new URL('../../../harness/gate/setup.js', import.meta.url)}'
import { captureEnvironment } from '${new URL('../../../harness/processes/environment.js', import.meta.url)}'
const root = repositoryRoot(process.cwd())
const { changed, sides: { base, head } } = prepareSides(process.env.SIDES, { root, ...resolveRevision(root, 'HEAD') })
const { ok } = await runInSide('git status', { cwd: base.folder })
const { gitCommit } = captureEnvironment({ pinning: '', loadGenerator: '' })
const contents = [base, head].map(side => readFileSync(side.folder + '/' + process.env.SEEN, 'utf8'))
console.error(JSON.stringify({ root, changed, contents, seesRepository: ok, gitCommit }))`

for (const [hook, place, folder, start] of /** @type {[string, string, string, string[]][]} */ ([
  ['pre-commit', 'a repository', '.', ['commit', '--all', '--message', 'all']],
  ['pre-commit', 'a linked worktree', 'sub/src', ['commit', '--all', '--message', 'all']],
  ['pre-push', 'a linked worktree', 'src', ['push', 'origin', 'HEAD:refs/heads/pushed']]
])) {
  test(`a gate in a ${hook} hook of ${place} belongs to the repository of its folder, ${folder}`, t => {
    const { root, git, addSubmodule } = repository(t)
    addSubmodule(repository(t).root)
    git('remote', 'add', 'origin', createRepository(t).root)
    const home = place === 'a repository' ? root : path.join(temporaryFolder(t), 'linked')
    if (home !== root) {
      git('worktree', 'add', '--quiet', '--detach', home)
      const update = ['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'update', '--init']
      execFileSync('git', ['-C', home, ...update], { stdio: 'pipe' })
    }
    for (const file of ['src/wheel.js', 'sub/src/wheel.js']) writeFileSync(path.join(home, file), 'edited')
    const script = path.join(root, '.git/hooks/gate.mjs')
    writeFileSync(script, RUN_GATE)
    const run = `#!/bin/sh\ncd ${folder} && exec ${process.execPath} ${script}\n`
    writeFileSync(path.join(root, '.git/hooks', hook), run, { mode: 0o755 })
    const isInSubmodule = folder.startsWith('sub')
    const here = path.join(home, isInSubmodule ? 'sub' : '.')
    const commitHere = execFileSync('git', ['-C', here, 'rev-parse', '--short=12', 'HEAD'], { encoding: 'utf8' }).trim()
    const name = ['-c', 'user.name=t', '-c', 'user.email=t@example.org']
    const seen = isInSubmodule ? 'src/wheel.js' : 'sub/src/wheel.js'
    const env = { ...process.env, SIDES: path.join(temporaryFolder(t), 'sides'), SEEN: seen }
    const { stderr } = spawnSync('git', ['-C', home, ...name, ...start], { encoding: 'utf8', env })
    assert.deepEqual(JSON.parse(stderr.split('\n').find(line => line.startsWith('{')) ?? assert.fail(stderr)), {
      root: realpathSync(here),
      changed: ['src/wheel.js'],
      contents: ['before', 'edited'],
      seesRepository: false,
      gitCommit: `${commitHere}+`
    })
  })
}

test('a work tree whose repository only the variables name is gated, too', t => {
  const { root, git, prepare } = repository(t)
  const away = path.join(temporaryFolder(t), 'apart.git')
  renameSync(path.join(root, '.git'), away)
  assert.throws(() => git('rev-parse', 'HEAD'))
  Object.assign(process.env, { GIT_DIR: away, GIT_WORK_TREE: root })
  t.after(() => {
    delete process.env.GIT_DIR
    delete process.env.GIT_WORK_TREE
  })
  assert.equal(repositoryRoot(root), root)
  assert.deepEqual(contents(prepare()), AS_PLANNED)
})

test('no hook of the user runs, and a warning of git is kept', t => {
  const { root, write, make } = repository(t)
  const hook = path.join(root, '.git/hooks/post-index-change')
  mkdirSync(path.dirname(hook), { recursive: true })
  writeFileSync(hook, `#!/bin/sh\ntouch ${root}/ran\n`, { mode: 0o755 })
  write('.gitattributes', '!*.js text\n')
  const { warnings } = make()
  assert.deepEqual([existsSync(path.join(root, 'ran')), warnings.length], [false, 1], String(warnings))
  assert.match(warnings[0], /^git: Negative patterns are ignored in git attributes Use '.*$/)
})

test('where git fails, all that it says is in one line', t => {
  const { git, write, commit, prepare } = repository(t)
  write('.gitattributes', '*.bin filter=absent\n')
  write('big.bin', 'big')
  commit()
  git('config', 'filter.absent.clean', 'cat')
  git('config', 'filter.absent.smudge', 'echo "no such object" >&2; exit 1')
  git('config', 'filter.absent.required', 'true')
  assert.throws(() => prepare(), {
    exitCode: 2,
    message:
      /^git read-tree --reset in \S+: no such object; error: external filter .*; fatal: big\.bin: smudge filter absent failed$/
  })
})

test('an untracked repository without a commit is no part of the head; one with a commit is, without a warning', t => {
  const { root, write, make } = repository(t)
  const [empty, full] = ['empty', 'full'].map(name => createRepository(t, path.join(root, name)))
  for (const made of [empty, full]) made.write('code.js', 'code')
  full.commit()
  write('other.js', 'other')
  const { warnings, sides } = make()
  assert.deepEqual(warnings, [])
  const heads = ['other.js', 'full/code.js', 'empty/code.js'].map(file => contents(sides, file)[1])
  assert.deepEqual(heads, ['other', 'code', null])
})

test('a submodule that was never fetched is an empty folder on each side', t => {
  const { root, git, addSubmodule, prepare } = repository(t)
  addSubmodule(repository(t).root)
  git('submodule', '--quiet', 'deinit', '--force', 'sub')
  for (const { folder } of Object.values(prepare())) assert.deepEqual(readdirSync(path.join(folder, 'sub')), [])
  assert.deepEqual(readdirSync(path.join(root, 'sub')), [])
})

test('a module of another side or of the working tree is foreign, others are outside, packages are neither', t => {
  const { root, prepare } = repository(t)
  const { base: { folder: base }, head: { folder: head } } = prepare()
  const find = (/** @type {string[]} */ ...files) =>
    straysAmong(files.map(file => pathToFileURL(file).href), base, root)
  const [own, others, working] = [base, head, root].map(folder => path.join(folder, 'src/wheel.js'))
  const packages = ['/elsewhere', root, head].map(folder => path.join(folder, 'node_modules/heap/index.js'))
  const outside = ['/elsewhere/index.js']
  const found = find(own, path.join(base, '../package.json'), ...packages, ...outside, ...outside)
  assert.deepEqual(found, { foreign: undefined, outside })
  assert.deepEqual([others, working].map(file => find(own, file).foreign), [others, working])
  assert.deepEqual(
    ['/side/a', '/side/a/b', '/side/ab', '/side', '/side/b'].map(file => isWithin('/side/a', file)),
    [true, true, false, false, false]
  )
})

test('no package.json of the repository speaks for a side without one', t => {
  const { write, prepare } = repository(t)
  write('package.json', '{ "type": "module" }')
  const sides = prepare()
  assert.deepEqual(contents(sides, 'package.json'), [null, '{ "type": "module" }', null])
  assert.equal(readFileSync(path.join(sides.base.folder, '../package.json'), 'utf8'), '{}\n')
})

test('nothing changes in the repository: no file, no object, no index, no worktree of the user', t => {
  const { root, git, prepare } = repository(t)
  const away = path.join(temporaryFolder(t), 'stick')
  git('worktree', 'add', '--quiet', '--detach', away)
  git('config', 'core.splitIndex', 'true')
  // A worktree on a disk that is not mounted now.
  renameSync(away, `${away}-unmounted`)
  const all = () =>
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile() && !entry.parentPath.includes('results'))
      .map(entry => path.join(entry.parentPath, entry.name))
      .sort()
      .map(file => [file, readFileSync(file, 'latin1')])
  const before = all()
  prepare()
  assert.deepEqual(all(), before)
})

test('files that changed, are new or are gone are found', t => {
  const { root, write, git, make } = repository(t)
  git('rm', '--quiet', '--cached', '.gitignore')
  rmSync(path.join(root, '.gitignore'))
  rmSync(path.join(root, 'node_modules'), { recursive: true })
  write('src/yarn.lock', '')
  const { sides, trees, changed } = make()
  assert.notEqual(trees.base, trees.head)
  assert.deepEqual(changed, ['.gitignore', 'src/new.js', 'src/wheel.js', 'src/yarn.lock'])
  assert.deepEqual(make({ isSelfCheck: true }), {
    sides,
    trees: { base: trees.base, head: trees.base },
    changed: [],
    warnings: []
  })
})
