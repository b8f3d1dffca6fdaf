import { test } from 'node:test'
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from '../bin/main.js'
import { temporaryFolder } from './harness/temporary-folder.js'

const PROJECT = new URL('../', import.meta.url)
const PAGES = ['README.md', 'CONTRIBUTING.md', ...readdirSync(new URL('docs/', PROJECT)).filter(file => file.endsWith('.md')).map(file => `docs/${file}`)]
/** In a block of shell, or indented on a line of its own; what follows on the line is a comment, or the next command. */
const BLOCK = /^```sh\n([^]*?)^```|^ {4}(timerq .*)$/gm
const COMMAND = /^(?:npx )?timerq (.*)$/
/** Files that the pages name. */
const FILES = ['my-queue', 'my-workload', 'my-server', 'src/my-queue', 'src/queue', 'src/wheel', 'bench/parse', ...['touch', 'restart', 'fire'].map(name => `lab/timer-apis/${name}`)]

for (const page of PAGES) {
  const text = readFileSync(new URL(page, PROJECT), 'utf8')
  const commands = [...text.matchAll(BLOCK)].flatMap(([, block, line]) => commandsIn(block ?? line))
  for (const command of commands) {
    test(`${page}: timerq ${command} is a command with its options`, async t => {
      const folder = temporaryFolder(t)
      for (const name of ['src', 'bench', 'lab/timer-apis']) mkdirSync(path.join(folder, name), { recursive: true })
      for (const name of FILES) writeFileSync(path.join(folder, `${name}.js`), '')
      const here = process.cwd()
      process.chdir(folder)
      t.after(() => process.chdir(here))
      // A shell expands the pattern.
      assert.equal(parse(wordsOf(command.replace('results/*', 'results/a results/b'))).command.name, wordsOf(command)[0])
    })
  }
}

/** @param {string} shell */
function commandsIn (shell) {
  return shell.replaceAll('\\\n', ' ').split('\n')
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
