/** Files that a side lacks, commands that make them, and code that both sides share. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { runInSide } from '../../../harness/gate/setup.js'
import { explainMissing } from '../../../harness/gate/load-side.js'
import { describeOutside } from '../../../harness/gate/shared-code.js'
import { temporaryFolder } from '../temporary-folder.js'
import { createRepository } from './repository.js'

test('a file that a side lacks is explained: ignored, in a submodule, new, or made by a command', t => {
  const { root, write, addSubmodule } = createRepository(t)
  const other = createRepository(t)
  other.commit()
  write('.gitignore', 'dist\n')
  addSubmodule(other.root)
  write('dist/parse.js', '')
  write('src/new.js', '')
  const folder = path.join(temporaryFolder(t), 'a')
  mkdirSync(folder)
  const plan = /** @type {any} */ ({ sides: { base: { folder } }, of: { gate: { root, baseRef: 'main' } } })
  const explain = (/** @type {string} */ message) => explainMissing(message, 'base', plan)
  const missing = (/** @type {string} */ file) =>
    explain(
      `file://${folder}/bench/x.js: cannot be loaded: Cannot find module '${folder}/${file}' imported from ${folder}/bench/x.js`
    )
  writeFileSync(path.join(folder, 'package.json'), '{}')
  mkdirSync(path.join(folder, 'bench'))
  writeFileSync(path.join(folder, 'bench/x.js'), '')
  assert.equal(
    missing('dist/parse.js'),
    'it lacks dist/parse.js, which git ignores: make it in each side, for example by --prepare "npm run build"'
  )
  assert.equal(
    missing('sub/index.js'),
    'it lacks sub/index.js: the submodule sub is not here as this side needs it (git submodule update --init)'
  )
  assert.equal(missing('src/new.js'), 'it lacks src/new.js, which is not in main')
  assert.match(String(missing('made.js')), /^it lacks made\.js, as the working tree does: .*--prepare/)
  assert.equal(explain(`${folder}/bench/x.js:12:3: cannot be loaded: x is not defined`), undefined)
  assert.equal(explain("Cannot find package 'absent'"), undefined)
})

test('a command runs in the folder of a side, finds no repository of the user there, and tells its reason', async t => {
  const { root } = createRepository(t)
  const cwd = path.join(root, 'results/sides/a')
  mkdirSync(cwd, { recursive: true })
  assert.equal((await runInSide('echo made > made.txt', { cwd })).ok, true)
  assert.equal(readFileSync(path.join(cwd, 'made.txt'), 'utf8'), 'made\n')
  const { ok, words } = await runInSide('git status', { cwd })
  assert.deepEqual([ok, /not a git repository/.test(words)], [false, true])
  assert.deepEqual(await runInSide('echo "npm error code EUSAGE"; echo "npm error no lock file"; exit 1', { cwd }), {
    ok: false,
    words: 'no lock file'
  })
})

test('code outside of the repository is called changed unless git or its time says that it is as old ' +
  'as the base', t => {
  const app = createRepository(t)
  app.commit()
  const base = { root: app.root, baseRef: 'main', baseCommit: app.git('rev-parse', 'HEAD') }
  const lib = createRepository(t, path.join(path.dirname(app.root), 'lib'))
  lib.write('package.json', '{}')
  lib.write('src/index.js', '')
  const file = path.join(lib.root, 'src/index.js')
  const describe = () => describeOutside([file], base)
  const changed = 'both sides ran ../lib, outside of the repository, which may have changed since main'
  assert.deepEqual(describe(), { unmeasured: [changed], shared: [] }, 'new and in no commit')
  utimesSync(file, 1, 1)
  const unchanged = {
    unmeasured: [],
    shared: ['both sides ran ../lib, outside of the repository, unchanged since main']
  }
  assert.deepEqual(describe(), unchanged, 'older than the base')
  process.env.GIT_COMMITTER_DATE = '2001-01-01T00:00:00Z'
  lib.commit()
  delete process.env.GIT_COMMITTER_DATE
  utimesSync(file, new Date(), new Date())
  assert.deepEqual(describe(), unchanged, 'checked out just now, and committed before the base')
  lib.write('src/index.js', 'edited')
  assert.deepEqual(describe(), { unmeasured: [changed], shared: [] }, 'edited')
  assert.deepEqual(describeOutside([lib.root], base).unmeasured, [changed], 'a whole package')
  rmSync(file)
  assert.deepEqual(describe(), { unmeasured: [changed], shared: [] }, 'vanished since it was loaded')
  assert.deepEqual(describeOutside([], base), { unmeasured: [], shared: [] })
})
