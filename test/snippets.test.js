/** Commands that pages show, in blocks and within sentences, and those of the examples for CI. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { commands as known } from '../bin/commands/index.js'
import { parse } from '../bin/request/request.js'
import { temporaryFolder } from './harness/temporary-folder.js'
import { PAGES, readPage } from './pages.js'

/** A block of shell commands; the rest of a line may be a comment, or the next command. */
const BLOCK = /^```sh\n([^]*?)^```/gm
const FENCED = /^```[^]*?^```$/gm
const INLINE = /`timerq ([^`]+)`/g
const COMMAND = /^(?:(?:npx )?timerq|node bin\/timerq\.js) (.*)$/
/** The other examples run in test/machines and test/action. */
const FOR_CI = ['docs/machines/gitlab-ci.yml', 'docs/machines/Jenkinsfile']
const IN_FILE = /^[^#\n]*\bnpx timerq ([a-z][^'\n]*)/gm
/** Stands for something that the reader puts in: `<command>`, `COMMAND`, `<directory>`. */
const PLACEHOLDER = /[<…]|\b[A-Z]{3,}\b/
/** Files that the pages name. */
const FILES = [
  'my-queue.js',
  'my-workload.js',
  'my-server.js',
  'src/my-queue.js',
  'src/queue.js',
  'bench/parse.js',
  'bench/parse.bench.js',
  'bench/parse.bench.ts',
  'format.bench.js',
  'parse.bench.js',
  'old.js',
  'new.js',
  'head.js',
  'benchmark/timers/immediate.js',
  ...['touch', 'restart', 'fire'].map(name => `lab/timer-apis/${name}.js`)
]

for (const page of PAGES) {
  const text = readPage(page)
  const shown = [...text.matchAll(BLOCK)].flatMap(([, block]) => commandsIn(block))
  const mentioned = Array.from(text.replaceAll(FENCED, '').matchAll(INLINE), ([, command]) =>
    command.replaceAll('\n', ' ')
  )
  const whole = mentioned.filter(command => command.includes(' --') && !PLACEHOLDER.test(command))
  for (const command of new Set([...shown, ...whole])) {
    test(`${page}: timerq ${command} is a command with its options`, t => assertCommand(t, command))
  }

  test(`${page} mentions commands that exist`, () => {
    const names = known.map(({ name }) => name)
    const words = mentioned.map(command => wordsOf(command)[0]).filter(word => /^[a-z]/.test(word))
    assert.deepEqual(words.filter(word => !names.includes(word)), [])
  })
}

for (const file of FOR_CI) {
  const started = Array.from(readPage(file).matchAll(IN_FILE), ([, command]) => command)
  test(`${file} starts timerq`, () => assert.ok(started.length > 0))
  for (const command of started) {
    test(`${file}: timerq ${command} is a command with its options`, t => assertCommand(t, command))
  }
}

/**
 * Parses a command in a folder with the files that pages mention.
 *
 * @param {import('node:test').TestContext} t
 * @param {string} command
 */
function assertCommand (t, command) {
  const folder = temporaryFolder(t)
  for (const name of FILES) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), '')
  }
  const here = process.cwd()
  process.chdir(folder)
  t.after(() => process.chdir(here))
  // A shell expands the pattern.
  assert.equal(parse(wordsOf(command.replace('results/*', 'results/a results/b'))).command.name, wordsOf(command)[0])
}

/** @param {string} shell */
function commandsIn (shell) {
  return shell
    .replaceAll('\\\n', ' ')
    .split('\n')
    .flatMap(line => line.replace(/(^| {2,})#.*| {3,}.*/, '').split(/&&|;/))
    .flatMap(part => COMMAND.exec(part.trim())?.[1] ?? [])
}

/**
 * Splits a command as a shell does; pages quote only whole words.
 *
 * @param {string} command
 */
function wordsOf (command) {
  return [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, single, double, bare]) => single ?? double ?? bare)
}
