/** The revision that a gate compares with: found here, at a remote, or refused with what to write instead. */
import { after, test } from 'node:test'
import assert from 'node:assert/strict'
import { execSync } from 'node:child_process'
import { cpSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { didYouMean } from '../../../bin/request/suggest.js'
import { repositoryRoot, resolveRevision } from '../../../harness/gate/revisions.js'
import { git } from '../../../harness/processes/git.js'
import { temporaryFolder } from '../temporary-folder.js'
import { createRepository } from './repository.js'

/** A remote of all tests: feature left main at the tag v1, and each has one more commit. */
const remote = createRepository({ after })
for (const file of ['one', 'two', 'three']) {
  remote.write(file, file)
  remote.commit(file)
}
remote.git('tag', 'v1')
remote.git('checkout', '--quiet', '-b', 'feature')
remote.write('four', 'four')
remote.commit('four')
remote.git('checkout', '--quiet', 'main')
remote.write('five', 'five')
remote.commit('five')

const clones = temporaryFolder({ after })
/** @type {Map<(source: string) => string, string>} */
const made = new Map()

/**
 * A clone of the remote.
 *
 * @param {import('node:test').TestContext} t
 * @param {(source: string) => string} clone  Commands that clone it into the folder where they run.
 */
function cloned (t, clone) {
  const root = path.join(temporaryFolder(t), 'clone')
  const runIn = (/** @type {string} */ cwd) => (/** @type {string} */ command) =>
    execSync(command, { cwd, stdio: 'pipe', encoding: 'utf8' }).trim()
  const original = made.get(clone) ?? path.join(clones, String(made.size))
  if (!made.has(clone)) {
    made.set(clone, original)
    mkdirSync(original)
    runIn(original)(clone(`file://${remote.root}`))
  }
  cpSync(original, root, { recursive: true })
  return { root, run: runIn(root), commitOf: (/** @type {string} */ ref) => remote.git('rev-parse', ref) }
}

/** The clones of usual CI services, and of people. */
const CLONES = {
  'one commit, by actions/checkout': (/** @type {string} */ source) =>
    `git init -q && git remote add origin ${source} && git fetch -q --depth=1 origin +refs/heads/feature:refs/remotes/origin/feature && git checkout -q -B feature refs/remotes/origin/feature`,
  'one detached commit, as of a pull request': (/** @type {string} */ source) =>
    `git init -q && git remote add origin ${source} && git fetch -q --depth=1 origin +refs/heads/feature:refs/remotes/pull/1/merge && git checkout -q --detach refs/remotes/pull/1/merge`,
  'one commit, by git clone': (/** @type {string} */ source) => `git clone -q --depth=1 --branch feature ${source} .`,
  'one branch, whole': (/** @type {string} */ source) => `git clone -q --single-branch --branch feature ${source} .`
}

const ADVICE = /(git fetch [^;)]+)[;)]/

for (const [name, clone] of Object.entries(CLONES)) {
  for (const [ref, commit] of [
    ['main', 'v1'],
    ['origin/main', 'v1'],
    ['main~1', 'main~1'],
    ['v1', 'v1'],
    ['HEAD^1', 'feature~1'],
    ['HEAD~2', 'feature~2']
  ]) {
    test(`a clone of ${name}: ${ref} is found, at the latest after the advised command`, t => {
      const { root, run, commitOf } = cloned(t, clone)
      let found
      try {
        found = resolveRevision(root, ref)
      } catch (error) {
        const { message } = /** @type {Error} */ (error)
        const [, command] = /** @type {string[]} */ (ADVICE.exec(message) ?? assert.fail(message))
        assert.doesNotMatch(message, /\n/)
        run(command)
        found = resolveRevision(root, ref)
      }
      assert.equal(found.baseCommit, commitOf(commit))
    })
  }
}

test('the base of a branch, which may be here at the remote only, is where the head left it; other names are taken ' +
  'as they are', t => {
  const { root, run, commitOf } = cloned(t, source => `git clone -q --branch feature ${source} .`)
  assert.deepEqual(resolveRevision(root, 'main'), { baseRef: 'origin/main', baseCommit: commitOf('v1'), behind: 1 })
  const tip = commitOf('main')
  assert.deepEqual(resolveRevision(root, 'main', { isTip: true }), { baseRef: 'origin/main', baseCommit: tip })
  run('git tag new origin/main')
  for (const ref of ['origin/main~0', tip, tip.slice(0, 10), 'new']) {
    assert.deepEqual(resolveRevision(root, ref), { baseRef: ref, baseCommit: tip })
  }
  // A pull request as actions/checkout merges it: all of main belongs to the head.
  run('git checkout -q --detach && git -c user.name=t -c user.email=t@example.org merge -q --no-edit origin/main')
  assert.deepEqual(resolveRevision(root, 'main'), { baseRef: 'origin/main', baseCommit: tip })
})

test('a branch without a common commit is answered with the commit to name', t => {
  const { root, git, commit } = createRepository(t)
  commit()
  git('checkout', '--quiet', '--orphan', 'other')
  commit('unrelated')
  const message = /^--base main and the head have no commit in common here \(name the commit .*: --base \w{10}\)$/
  assert.throws(() => resolveRevision(root, 'main'), { exitCode: 2, message })
})

test('a typing error gets the name that was meant, and no command that cannot help', t => {
  const whole = cloned(t, source => `git clone -q ${source} .`)
  for (const [typed, meant] of [
    ['mian', /"mian", did you mean main\? \(/],
    ['feture', /"feture", did you mean feature\? \(/]
  ]) {
    assert.throws(
      () => resolveRevision(whole.root, String(typed), { suggest: didYouMean }),
      error => /** @type {RegExp} */ (meant).test(String(error)) && !/fetch|shallow/.test(String(error))
    )
  }
  assert.throws(() => resolveRevision(whole.root, 'HEAD~99'), /\(HEAD has no such ancestor\)$/)
  assert.throws(() => resolveRevision(createRepository(t).root, 'main'), /has no commit yet\)$/)
})

test('without a terminal, git asks for no password', t => {
  const { isTTY } = process.stdin
  t.after(() => Object.assign(process.stdin, { isTTY }))
  const asks = (/** @type {boolean} */ isTTY) => {
    Object.assign(process.stdin, { isTTY })
    return git(createRepository(t).root, ['-c', 'alias.shown=!echo "<$GIT_TERMINAL_PROMPT>"', 'shown'])
  }
  assert.deepEqual([asks(false), asks(true)], ['<0>', '<>'])
})

test('a repository that git refuses to read keeps the reason and the cure of git', t => {
  const { root } = createRepository(t)
  process.env.GIT_TEST_ASSUME_DIFFERENT_OWNER = '1'
  t.after(() => delete process.env.GIT_TEST_ASSUME_DIFFERENT_OWNER)
  assert.throws(() => repositoryRoot(root), {
    exitCode: 2,
    message:
      /^git rev-parse --show-toplevel in .*: fatal: detected dubious ownership .*: git config --global --add safe\.directory .*$/
  })
})

test('a folder in no repository is named, with what may have been meant', () => {
  const message =
    /^gate compares revisions, but \S+ is in no git repository \(two results directories: timerq compare\)$/
  assert.throws(() => repositoryRoot(path.parse(process.cwd()).root), { exitCode: 2, message })
})

/** @type {[string, (git: (...args: string[]) => string) => string, RegExp][]} */
const AMBIGUOUS = [
  ['a tag and a branch', () => 'release', /^refs\/heads\/release and refs\/tags\/release$/],
  ['their ancestors', () => 'release~1', /^refs\/heads\/release~1 and refs\/tags\/release~1$/],
  ['two branches', () => 'origin/main', /^refs\/heads\/origin\/main and refs\/remotes\/origin\/main$/],
  [
    'a branch and a hash',
    git => {
      const hash = git('rev-parse', '--short=8', 'HEAD')
      git('branch', hash, 'HEAD~1')
      return hash
    },
    /^refs\/heads\/(\w{8}) and \1\w{32}$/
  ],
  [
    'a branch and the commit that is checked out',
    git => {
      git('update-ref', 'refs/heads/HEAD', 'HEAD~1')
      return 'HEAD'
    },
    /^refs\/heads\/HEAD and \w{40}$/
  ]
]

for (const [title, name, meanings] of AMBIGUOUS) {
  test(`a name of ${title} is refused with what to write instead, and that is no longer ambiguous`, t => {
    const { root, git, commit } = createRepository(t)
    for (const message of ['one', 'two', 'three']) commit(message)
    git('tag', 'release', 'HEAD~1')
    git('branch', 'release')
    git('update-ref', 'refs/heads/origin/main', 'HEAD')
    git('update-ref', 'refs/remotes/origin/main', 'HEAD~1')
    const ref = name(git)
    const { message = '' } = /** @type {Error} */ (thrownBy(() => resolveRevision(root, ref)))
    const [, ...tried] = /** @type {string[]} */ (
      /^--base must name one commit, and "\S+" names 2 \(try --base (\S+) for (\w+) or --base (\S+) for (\w+)\)$/.exec(
        message
      ) ?? assert.fail(message)
    )
    assert.match(`${tried[0]} and ${tried[2]}`, meanings)
    for (const [meant, commit] of [tried.slice(0, 2), tried.slice(2)]) {
      const { baseCommit, warnings } = resolveRevision(root, meant)
      assert.deepEqual([baseCommit.startsWith(commit), warnings], [true, undefined])
    }
  })
}

test('a name of a tag and a branch of one commit is taken, with the warning of git', t => {
  const { root, git, commit } = createRepository(t)
  commit()
  git('branch', 'release')
  git('tag', 'release')
  const { baseCommit, warnings } = resolveRevision(root, 'release')
  assert.deepEqual([baseCommit, warnings], [git('rev-parse', 'HEAD'), ["git: refname 'release' is ambiguous."]])
})

/** @param {() => unknown} action */
function thrownBy (action) {
  try {
    return assert.fail(String(action()))
  } catch (error) {
    return error
  }
}
