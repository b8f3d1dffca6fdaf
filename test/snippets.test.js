/** Commands and code that pages show. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from '../bin/main.js'
import { temporaryFolder } from './harness/temporary-folder.js'
import { PAGES, readPage } from './pages.js'

/** What follows on the line is a comment, or the next command. */
const BLOCK = /^```sh\n([^]*?)^```/gm
const COMMAND = /^(?:(?:npx )?timerq|node bin\/timerq\.js) (.*)$/
/** Files that the pages name. */
const FILES = [
  'my-queue',
  'my-workload',
  'my-server',
  'src/my-queue',
  'src/queue',
  'src/wheel',
  'bench/parse',
  'format.bench',
  'benchmark/timers/immediate',
  ...['touch', 'restart', 'fire'].map(name => `lab/timer-apis/${name}`)
]

for (const page of PAGES) {
  const commands = [...readPage(page).matchAll(BLOCK)].flatMap(([, block]) => commandsIn(block))
  for (const command of commands) {
    test(`${page}: timerq ${command} is a command with its options`, async t => {
      const folder = temporaryFolder(t)
      for (const name of ['src', 'bench', 'benchmark/timers', 'lab/timer-apis']) mkdirSync(path.join(folder, name), { recursive: true })
      for (const name of FILES) writeFileSync(path.join(folder, `${name}.js`), '')
      writeFileSync(path.join(folder, 'bench/parse.bench.ts'), '')
      const here = process.cwd()
      process.chdir(folder)
      t.after(() => process.chdir(here))
      // A shell expands the pattern.
      assert.equal(
        parse(wordsOf(command.replace('results/*', 'results/a results/b'))).command.name,
        wordsOf(command)[0]
      )
    })
  }
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
 * As a shell splits them; no page quotes anything but a whole word.
 *
 * @param {string} command
 */
function wordsOf (command) {
  return [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, single, double, bare]) => single ?? double ?? bare)
}
