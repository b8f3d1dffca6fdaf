/** Packages of each side. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { findAsking, givePackages, linkedFromOutside } from '../../../harness/gate/packages.js'
import { temporaryFolder } from '../temporary-folder.js'

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
    []
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
    assert.deepEqual(findAsking(files, { ...gate, places: ['src'] }), expected)
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
  const find = () => findAsking(['packages/b/package.json'], { root, sides, places: ['packages/a/src'] })
  assert.deepEqual(find(), [])
  mkdirSync(path.join(root, 'node_modules/@scope'), { recursive: true })
  symlinkSync('../../packages/b', path.join(root, 'node_modules/@scope/b'))
  assert.deepEqual(find(), ['packages/b/package.json'])
})

for (const [title, files, command] of /** @type {[string, Record<string, string>, string][]} */ ([
  ['npm', { [LOCK]: '{}' }, 'cd .. && npm ci'],
  ['pnpm without workspaces', { 'pnpm-lock.yaml': '' }, 'cd .. && pnpm install --frozen-lockfile --ignore-workspace'],
  ['no lock file', {}, 'cd .. && npm install']
])) {
  test(`the advised command is that of the lock file, in its folder: ${title}`, async t => {
    const base = { 'package.json': ask('1'), ...files }
    const made = changed(t, base, { 'package.json': ask('2') })
    const queues = [{ file: 'src/a.js' }]
    const of = { gate: { root: made.root } }
    const plan = /** @type {any} */ ({ sides: made.sides, queues, scenarios: [], of })
    const unmeasuredBy = async (/** @type {false} [install] */ install) =>
      (await givePackages(/** @type {any} */ ({ plan, setup: { install }, changed: made.changed }))).gate?.unmeasured
    const shared = 'base and head ask for other packages (package.json), and both ran those that are installed now'
    assert.deepEqual(await unmeasuredBy(), [`${shared} (--install "${command}")`])
    assert.deepEqual(await unmeasuredBy(false), [`${shared}, by --no-install`])
  })
}

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
