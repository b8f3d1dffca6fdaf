/** Packages of each side. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { mkdirSync, realpathSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { findAsking, givePackages, linkedFromOutside } from '../../../harness/gate/packages.js'
import { resolveRevision } from '../../../harness/gate/revisions.js'
import { placesOf, prepareSides } from '../../../harness/gate/sides.js'
import { temporaryFolder } from '../temporary-folder.js'
import { createRepository } from './repository.js'

const LOCK = 'package-lock.json'
/** @type {(version: string, more?: object) => object} */
const lockOf = (version, more) => ({
  lockfileVersion: 3,
  packages: { '': { name: 'app', dependencies: { dep: version } }, 'node_modules/dep': { version }, ...more }
})
const ask = (/** @type {string} */ version) => ({ name: 'app', dependencies: { dep: version } })

/**
 * Files of the base, changed to those of the head.
 *
 * @param {import('node:test').TestContext} t
 * @param {Record<string, string | object>} base
 * @param {Record<string, string | object>} head
 */
function changed (t, base, head) {
  const { root, write, commit } = createRepository(t)
  write('.gitignore', 'node_modules\nresults\n')
  write('src/a.js', '')
  for (const [file, content] of Object.entries(base)) write(file, content)
  commit()
  for (const [file, content] of Object.entries(head)) write(file, content)
  mkdirSync(path.join(root, 'results'))
  t.mock.method(process, 'cwd', () => path.join(root, 'src'))
  const folder = path.join(root, 'results/sides')
  const { changed } = prepareSides(folder, { root, ...resolveRevision(root, 'HEAD') })
  return { root, changed, sides: placesOf(folder, root) }
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
  const { root, write } = createRepository(t)
  const outside = temporaryFolder(t)
  for (const folder of ['lib', 'store/node_modules/dep']) mkdirSync(path.join(outside, folder), { recursive: true })
  write('packages/a/index.js', '')
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
