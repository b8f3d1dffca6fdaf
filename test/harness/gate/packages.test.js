/** Packages of each side. */
import { after, test } from 'node:test'
import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { findAsking, installPackages, linkedFromOutside } from '../../../harness/gate/packages.js'
import { resolveRevision } from '../../../harness/gate/revisions.js'
import { foldersOf, prepareSides } from '../../../harness/gate/sides.js'
import { temporaryFolder } from '../temporary-folder.js'
import { createRepository, packPackage } from './repository.js'

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
 * @param {string[]} [archives]  Files of the root, on either side.
 */
function changed (t, base, head, archives = []) {
  const { root, write, commit } = createRepository(t)
  for (const archive of archives) cpSync(archive, path.join(root, path.basename(archive)))
  write('.gitignore', 'node_modules\nresults\n')
  write('src/a.js', '')
  for (const [file, content] of Object.entries(base)) write(file, content)
  commit()
  for (const [file, content] of Object.entries(head)) write(file, content)
  mkdirSync(path.join(root, 'results'))
  const folder = path.join(root, 'results/sides')
  const prepared = prepareSides(folder, { root, ...resolveRevision(root, 'HEAD') })
  const sides = foldersOf(folder)
  const asking = (/** @type {string[]} */ ...places) => findAsking(prepared.changed, { root, sides, places }).sort()
  return { root, sides, asking }
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
    { 'site/package.json': ask('2') },
    []
  ]
])) {
  test(`base and head ask for other packages? ${title}: ${expected.join(', ') || 'no'}`, t => {
    assert.deepEqual(changed(t, base, head).asking('src'), expected)
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

/** Two versions of a package, packed once for all tests. */
const packed = temporaryFolder({ after })
const archives = ['1.0.0', '2.0.0'].map(version =>
  packPackage(packed, { name: 'dep', version }, `export const version = '${version}'\n`)
)

/** @param {import('node:test').TestContext} t */
function bumped (t) {
  const [base, head] = archives.map(archive => ({ 'package.json': ask(`file:${path.basename(archive)}`) }))
  const { root, sides, asking } = changed(t, base, { ...head, 'node_modules/dep/index.js': 'installed' }, archives)
  const installed = () =>
    Object.values(sides).map(side => readFileSync(path.join(side, 'node_modules/dep/index.js'), 'utf8').trim())
  return { root, sides, asking: asking('.'), installed }
}

test('each side gets the packages that it asks for, without the network, and the control those ' +
  'of the base', async t => {
  const { root, sides, asking, installed } = bumped(t)
  assert.deepEqual(asking, ['package.json'])
  assert.deepEqual(installed(), ['installed', 'installed', 'installed'])
  assert.deepEqual(await installPackages(sides, { asking, root }), { by: 'npm install' })
  assert.deepEqual(
    installed().map(source => /'(.*)'/.exec(source)?.[1]),
    ['1.0.0', '2.0.0', '1.0.0']
  )
  assert.equal(readFileSync(path.join(root, 'node_modules/dep/index.js'), 'utf8'), 'installed')
})

test('where a side cannot get its packages, both keep those that are installed, with the reason', async t => {
  const { root, sides, asking, installed } = bumped(t)
  writeFileSync(path.join(sides.head, 'dep-2.0.0.tgz'), 'damaged')
  const { fault } = /** @type {{fault: string}} */ (await installPackages(sides, { asking, root }))
  assert.match(fault, /^head got none by npm install: \S.*$/)
  assert.deepEqual(installed(), ['installed', 'installed', 'installed'])
})

test('the command of the user takes the place of the tool', async t => {
  const { root, sides, asking, installed } = bumped(t)
  const command = 'mkdir -p node_modules/dep && echo by hand > node_modules/dep/index.js'
  assert.deepEqual(await installPackages(sides, { asking, root, command }), { by: command })
  assert.deepEqual(installed(), ['by hand', 'by hand', 'by hand'])
  assert.equal(existsSync(path.join(root, 'node_modules/dep/package.json')), false)
})

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
