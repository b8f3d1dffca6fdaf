/** What each shell completes. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { complete } from '../../bin/request/completions.js'
import { commands } from '../../bin/commands/index.js'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { needs } from '../needs.js'
import { TIMERQ, pick, timerqHere } from './timerq.js'

/** @param {...string} words */
const values = (...words) => complete(words).map(({ value }) => value)

test('commands come first, with what they do', () => {
  assert.deepEqual(
    values(''),
    pick(commands, 'name')
  )
  assert.deepEqual(complete(['gat']), [
    { value: 'gate', what: 'Fail when a change made code slower: the exit code is the verdict' }
  ])
})

for (const [line, expected] of /** @type {[string, string[]][]} */ ([
  ['run --pre', ['--preset']],
  ['run --preset ', ['quick', 'documented', 'ci']],
  ['run --queue laz', ['lazy-wheel']],
  ['run --queue lazy-wheel,binary-', ['lazy-wheel,binary-heap']],
  ['run --queue lazy-wheel,laz', []],
  ['run --queue=laz', ['--queue=lazy-wheel']],
  ['run --queue = laz', ['lazy-wheel']],
  ['gate --scenario sta', ['staggered-expiry', 'start-cancel']],
  ['check laz', ['lazy-wheel']],
  ['check lazy-wheel binary-', ['binary-heap']],
  ['completion ', ['bash', 'zsh', 'fish']],
  ['run --json --queue hier', ['hierarchical-wheel']],
  ['run --out ', []],
  ['report ', []],
  ['gate --shar', []],
  ['record -- ', []],
  ['frobnicate ', []]
])) {
  test(`timerq ${line}⇥ ${expected.join(' ') || '(files)'}`, () =>
    assert.deepEqual(values(...line.split(' ')), expected))
}

test('an option that is there already is not offered again', () => {
  assert.ok(values('run', '--').includes('--json'))
  assert.ok(!values('run', '--json', '--').includes('--json'))
})

/**
 * How each shell is asked without a keyboard. zsh has stubs of its own completion system.
 *
 * @type {Record<string, {flag: string, file: string[], ask: (words: string[]) => string}>}
 */
const SHELLS = {
  bash: {
    flag: '--norc',
    file: [],
    ask: words =>
      `source ./script; COMP_WORDS=(timerq ${quoted(words)}); COMP_CWORD=${words.length}; _timerq
      printf '%s\\n' "\${COMPREPLY[@]}"`
  },
  zsh: {
    flag: '--no-rcs',
    file: ['FILES'],
    ask: words =>
      `compdef () { :; }; _files () { print FILES; }; _describe () { eval "print -l -- \\$$2"; }
      source ./script; words=(timerq ${quoted(words)}); CURRENT=${words.length + 1}; _timerq`
  },
  fish: {
    flag: '--no-config',
    file: ['my-file'],
    ask: words => `source ./script; complete --do-complete=${quoted([`timerq ${words.join(' ')}`])}`
  }
}

/** @param {string[]} words */
const quoted = words => words.map(word => `'${word}'`).join(' ')

for (const [shell, { flag, file, ask }] of Object.entries(SHELLS)) {
  test(`${shell} completes by the script that timerq prints`, { skip: needs(shell) }, async t => {
    const folder = temporaryFolder(t)
    writeFileSync(path.join(folder, 'script'), (await timerqHere(['completion', shell])).stdout)
    const program = `#!/bin/sh\nexec ${quoted([process.execPath, TIMERQ])} "$@"\n`
    writeFileSync(path.join(folder, 'timerq'), program, { mode: 0o755 })
    writeFileSync(path.join(folder, 'my-file'), '')
    const env = { ...process.env, HOME: folder, PATH: `${folder}${path.delimiter}${process.env.PATH}` }
    const answer = (/** @type {string[]} */ ...words) => {
      const { stdout, stderr } = spawnSync(shell, [flag, '-c', ask(words)], { cwd: folder, env, encoding: 'utf8' })
      assert.equal(stderr, '')
      return stdout.split('\n').filter(Boolean).map(line => line.split(/\t|:/)[0])
    }
    assert.deepEqual(answer('gat'), ['gate'])
    assert.deepEqual(answer('run', '--scenario', 'mixed,sta').sort(), ['mixed,staggered-expiry', 'mixed,start-cancel'])
    assert.deepEqual(answer('report', 'my-'), file)
  })
}
