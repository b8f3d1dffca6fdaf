/** Files that differ between the sides: what each may change, and packages of each side. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  askedFolders,
  differencesOf,
  differingFiles,
  linkedFromOutside,
  runsTheSame
} from '../../../harness/gate/differences.js'
import { install } from '../../../harness/gate/setup.js'
import { temporaryFolder } from '../temporary-folder.js'
import { createRepository } from './repository.js'

const PACKAGES = fileURLToPath(new URL('../../../node_modules', import.meta.url))

const LOCK = 'package-lock.json'
/** @type {(version: string, more?: object) => object} */
const lockOf = (version, more) => ({
  lockfileVersion: 3,
  packages: { '': { name: 'app', dependencies: { dep: version } }, 'node_modules/dep': { version }, ...more }
})
const ask = (/** @type {string} */ version) => ({ name: 'app', dependencies: { dep: version } })

/**
 * Two sides, and the repository with the head's files.
 *
 * @param {import('node:test').TestContext} t
 * @param {Record<string, string | object>} base
 * @param {Record<string, string | object>} head  Files that differ from those of the base.
 */
function changed (t, base, head) {
  const root = temporaryFolder(t)
  const all = { ...base, ...head }
  for (const [folder, files] of Object.entries({ '.': all, 'sides/a': base, 'sides/b': all })) {
    for (const [file, content] of Object.entries({ 'src/a.js': '', ...files })) {
      const place = path.join(root, folder, file)
      mkdirSync(path.dirname(place), { recursive: true })
      writeFileSync(place, typeof content === 'string' ? content : JSON.stringify(content))
    }
  }
  const placeOf = (/** @type {string} */ name) => {
    const folder = path.join(root, 'sides', name)
    return { folder, cwd: path.join(folder, 'src') }
  }
  const sides = /** @type {any} */ ({ base: placeOf('a'), head: placeOf('b') })
  return { root, changed: Object.keys(head), sides }
}

/** @type {(files: string[], gate: {root: string, sides: any}, places: string[]) => string[]} */
const askingOf = (files, { root, sides }, places) =>
  differencesOf(files, { sides }, askedFolders(root, places))
    .filter(({ kind }) => kind === 'packages')
    .map(({ file }) => file)

for (const [title, base, head, expected] of /** @type {[string, object, object, string[]][]} */ ([
  ['a package.json without a lock file', { 'package.json': ask('1') }, { 'package.json': ask('2') }, ['package.json']],
  ['a new package.json', {}, { 'package.json': ask('2') }, ['package.json']],
  ['a lock file of npm', { 'package.json': ask('1'), [LOCK]: lockOf('1') }, { [LOCK]: lockOf('2') }, [LOCK]],
  [
    'a package.json that its lock file does not follow',
    { 'package.json': ask('1'), [LOCK]: lockOf('1') },
    { 'package.json': ask('2') },
    ['package.json']
  ],
  ['a lock file of pnpm', { 'pnpm-lock.yaml': 'a' }, { 'pnpm-lock.yaml': 'b' }, ['pnpm-lock.yaml']],
  ['a lock file of yarn', { 'yarn.lock': 'a' }, { 'yarn.lock': 'b' }, ['yarn.lock']],
  ['a patch', {}, { 'patches/dep+1.0.0.patch': '-a' }, ['patches/dep+1.0.0.patch']],
  ['a patch of yarn', {}, { '.yarn/patches/dep.patch': '-a' }, ['.yarn/patches/dep.patch']],
  ['settings of npm', {}, { '.npmrc': 'omit=optional' }, ['.npmrc']],
  [
    'a script that runs after packages are installed, and no lock file tells of',
    { 'package.json': ask('1'), [LOCK]: lockOf('1') },
    {
      'package.json': { ...ask('1'), scripts: { postinstall: 'patch-package' } },
      [LOCK]: { ...lockOf('1'), version: '2' }
    },
    ['package.json']
  ],
  ['code in a folder of that name', {}, { 'src/patches/index.js': '1', 'src/patch.js': '1' }, []],
  [
    'scripts and version alone',
    { 'package.json': ask('1') },
    { 'package.json': { ...ask('1'), version: '2.0.0', scripts: {} } },
    []
  ],
  [
    'the same packages by another range',
    { 'package.json': ask('^1'), [LOCK]: lockOf('1') },
    { 'package.json': ask('1'), [LOCK]: { ...lockOf('1'), version: '2.0.0' } },
    ['package.json']
  ],
  [
    'packages of another project of the repository',
    { 'site/package.json': ask('1') },
    { 'site/package.json': ask('2'), 'site/patches/dep.patch': '-a', 'site/.npmrc': '' },
    []
  ]
])) {
  test(`base and head ask for other packages? ${title}: ${expected.join(', ') || 'no'}`, t => {
    const { changed: files, ...gate } = changed(t, base, head)
    assert.deepEqual(askingOf(files, gate, ['src']), expected)
  })
}

test('a workspace that the gated one may import asks, too', t => {
  const { root, sides } = changed(
    t,
    {
      'package.json': { workspaces: ['packages/*'] },
      'packages/a/package.json': {},
      'packages/b/package.json': ask('1')
    },
    { 'packages/b/package.json': ask('2') }
  )
  const find = () => askingOf(['packages/b/package.json'], { root, sides }, ['packages/a/src'])
  assert.deepEqual(find(), [])
  mkdirSync(path.join(root, 'node_modules/@scope'), { recursive: true })
  symlinkSync('../../packages/b', path.join(root, 'node_modules/@scope/b'))
  assert.deepEqual(find(), ['packages/b/package.json'])
})

test('packages that differ, and are not installed in each side, cannot be compared', async t => {
  const made = changed(t, { 'package.json': ask('1') }, { 'package.json': ask('2') })
  const plan = /** @type {any} */ ({ sides: made.sides, of: { gate: { root: made.root } } })
  const differences = differencesOf(made.changed, plan, ['.'])
  const unmeasuredBy = async (/** @type {false} [command] */ command) =>
    (await install(/** @type {any} */ ({ plan, setup: { install: command }, differences }))).gate?.unmeasured
  const shared = 'base and head ask for other packages (package.json), and both ran those that are installed now'
  assert.deepEqual(await unmeasuredBy(), [`${shared} (give each side its own: --install "npm ci")`])
  assert.deepEqual(await unmeasuredBy(false), [`${shared}, by --no-install`])
})

test('a file is a module, data, a setting of loading, or a page that no program reads', t => {
  const kinds = {
    module: ['src/b.js', 'src/b.mts', 'lib/c.jsx', 'bench/help.js', 'src/app.config.js'],
    data: ['data/words.txt', 'src/a.json', 'src/a.wasm', 'sum.node', 'test/fixtures/big.json', 'sub'],
    settings: ['tsconfig.json', 'packages/a/tsconfig.build.json', 'vitest.config.ts', '.babelrc', '.env.test'],
    page: ['README.md', 'docs/a.json', 'LICENSE', '.github/ci.yml', 'test/a.test.js', 'src/a.d.ts', '.gitignore',
      'eslint.config.js', 'yarn.lock']
  }
  const { sides } = changed(t, {}, {})
  const found = differencesOf(Object.values(kinds).flat(), { sides }, [])
  for (const [kind, files] of Object.entries(kinds)) {
    assert.deepEqual(found.filter(one => one.kind === kind).map(({ file }) => file), files, kind)
  }
})

for (const [title, before, after, kind] of /** @type {[string, object, object, string][]} */ ([
  ['its version', { version: '1' }, { version: '2', description: 'x' }, 'page'],
  ['its exports', { exports: './a.js' }, { exports: './b.js' }, 'settings'],
  ['its type', {}, { type: 'module' }, 'settings'],
  ['its dependencies', {}, { dependencies: { a: '1' } }, 'packages']
])) {
  test(`a package.json in which ${title} differs is of the kind ${kind}`, t => {
    const { sides, changed: files } = changed(t, { 'package.json': before }, { 'package.json': after })
    assert.deepEqual(differencesOf(files, { sides }, ['.']), [{ file: 'package.json', kind }])
  })
}

test('what a build has made in one side alone, or otherwise, differs; packages are not looked at', t => {
  const base = { 'dist/a.js': '1', 'dist/b.js': '1', 'node_modules/a/index.js': '1' }
  const { sides } = changed(t, base, { 'dist/a.js': '2', 'dist/c.js': '', 'node_modules/a/index.js': '2' })
  assert.deepEqual(differingFiles(sides.base.folder, sides.head.folder), ['dist/a.js', 'dist/c.js'])
})

test('packages that are linked from outside are found; workspaces and stores of packages are none', t => {
  const { root } = changed(t, { 'packages/a/index.js': '' }, {})
  const outside = temporaryFolder(t)
  for (const folder of ['lib', 'store/node_modules/dep']) mkdirSync(path.join(outside, folder), { recursive: true })
  mkdirSync(path.join(root, 'node_modules/@scope'), { recursive: true })
  for (const [target, name] of [
    [path.join(outside, 'lib'), '@scope/lib'],
    [path.join(outside, 'store/node_modules/dep'), 'dep'],
    [path.join(root, 'packages/a'), 'a'],
    [path.join(outside, 'gone'), 'gone']
  ]) {
    symlinkSync(target, path.join(root, 'node_modules', name))
  }
  assert.deepEqual(linkedFromOutside(root, ['packages/a']), [realpathSync(path.join(outside, 'lib'))])
})

const TYPED = 'export const f = (a: number) => a\n'
const SOURCES = {
  'package.json': { type: 'module' },
  'src/a.ts': TYPED,
  'src/b.js': '1\n'
}

for (const [title, changes, expected] of /** @type {[string, Record<string, string>, boolean][]} */ ([
  ['a page, a comment, a type and a test', {
    'README.md': 'x',
    'src/b.js': '1 // one\n',
    'src/a.ts': '/** Of a. */\nexport const f = (a: number | string) => a\n',
    'src/a.test.ts': 'f(2)\n',
    'src/types.ts': 'export type A = { a: number }\n'
  }, true],
  ['a program', { 'src/b.js': '2\n' }, false],
  ['a program in TypeScript', { 'src/a.ts': 'export const f = (a: number) => -a\n' }, false],
  ['an import that may be of a value', { 'src/a.ts': `import { A } from './b.js'\n${TYPED}` }, false],
  ['a decorator, which may keep types', { 'src/a.ts': '@own()\nexport class A { a: number }\n' }, false],
  ['a new module', { 'src/c.js': '' }, false],
  ['a helper next to tests', { 'test/helper.js': '1\n' }, false],
  ['data', { 'src/a.json': '{}' }, false],
  ['a setting', { 'tsconfig.json': '{}' }, false],
  ['a package.json', { 'package.json': '{}' }, false],
  ['a benchmark file', { 'bench/a.bench.js': '2\n' }, false]
])) {
  test(`a change of ${title}: both sides ${expected ? 'run' : 'may not run'} the same program`, async t => {
    const { root, write, commit } = createRepository(t)
    for (const [file, text] of Object.entries(SOURCES)) write(file, text)
    symlinkSync(PACKAGES, path.join(root, 'node_modules'))
    write('.gitignore', 'node_modules\n')
    commit()
    for (const [file, text] of Object.entries(changes)) write(file, text)
    assert.equal(await runsTheSame(root, 'HEAD', ['bench/a.bench.js']), expected)
  })
}
