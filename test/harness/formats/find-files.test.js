/** The benchmark files of a project are found by their names and folders. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { findBenchmarkFiles } from '../../../harness/formats/find-files.js'
import { temporaryFolder } from '../temporary-folder.js'

/** @type {(t: import('node:test').TestContext, files: string[], texts?: Record<string, string>) => string} */
function project (t, files, texts = {}) {
  const root = temporaryFolder(t)
  for (const file of [...files, ...Object.keys(texts)]) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
    writeFileSync(path.join(root, file), texts[file] ?? '')
  }
  return root
}

const FILES = [
  'src/parse.bench.ts', 'a/b/format.benchmark.mjs', 'bench/all.js', 'bench/parse.bench.js', 'packages/x/perf/a/y.cts',
  'src/parse.ts', 'src/parse.test.ts', 'bench/README.md', 'bench/types.d.ts', 'bench/vitest.config.ts',
  'bench/size.spec.ts',
  'node_modules/p/bench/p.bench.js', 'dist/parse.bench.js', 'bench/build/c.bench.js', '.cache/x.bench.js'
]
const FOUND = {
  files: ['a/b/format.benchmark.mjs', 'bench/parse.bench.js', 'src/parse.bench.ts'],
  uncertain: ['bench/all.js', 'packages/x/perf/a/y.cts']
}

test('benchmark files are found by their names, and in folders for benchmarks', t => {
  assert.deepEqual(findBenchmarkFiles(project(t, FILES)), FOUND)
})

test('a file named after benchmarks is one if it names a library', t => {
  const root = project(t, ['bench.js', 'benchmark.txt', 'workbench.js'], {
    'benchmark.js': "const { Suite } = require('benchmark')",
    'lib/bench-decoding.mjs': 'import { Bench } from "tinybench"'
  })
  assert.deepEqual(findBenchmarkFiles(root), { files: [], uncertain: ['benchmark.js', 'lib/bench-decoding.mjs'] })
})

test('files that git ignores, that are deleted, or that a gate has copied, are no benchmark files', t => {
  const more = ['made/x.bench.js', 'gone.bench.js', 'results/r/sides/.timerq-sides', 'results/r/sides/a/z.bench.js']
  const root = project(t, [...FILES, ...more], { '.gitignore': 'made\nnode_modules\n' })
  const git = (/** @type {string[]} */ ...words) => execFileSync('git', words, { cwd: root })
  git('init', '--quiet')
  git('add', 'gone.bench.js')
  rmSync(path.join(root, 'gone.bench.js'))
  assert.deepEqual(findBenchmarkFiles(root), FOUND)
})

test('patterns that a configuration of vitest includes for benchmarks lead from its folder', t => {
  const config = `export default { test: { include: ['**/*.js'], benchmark: {
  reporters: ['default'], include: ["speed/**/*.{ts,js}", './one.mjs'] } } }`
  const root = project(t, ['pkg/speed/a/b.ts', 'pkg/one.mjs', 'speed/no.ts'], { 'pkg/vitest.config.ts': config })
  assert.deepEqual(findBenchmarkFiles(root), { files: ['pkg/one.mjs', 'pkg/speed/a/b.ts'], uncertain: [] })
})
