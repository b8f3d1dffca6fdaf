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
import { TIMERQ, pick, timerq } from './timerq.js'

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
 * How each shell is asked without a keyboard.
 *
 * @type {Record<'bash' | 'zsh' | 'fish', {flags: string[], ask: (words: string[]) => string}>}
 */
const SHELLS = {
  bash: {
    flags: ['--norc'],
    ask: words =>
      `COMP_WORDS=(timerq ${words.map(quote).join(' ')}); COMP_CWORD=${words.length}; _timerq; printf '%s\\n' "\${COMPREPLY[@]}"`
  },
  zsh: {
    flags: ['--no-rcs'],
    ask: words => `words=(timerq ${words.map(quote).join(' ')}); CURRENT=${words.length + 1}; _timerq`
  },
  fish: {
    flags: ['--no-config'],
    ask: words => `complete --do-complete=${quote(`timerq ${words.join(' ')}`)}`
  }
}
/** What zsh's own completion system would be given. */
const STUBS = {
  bash: '',
  zsh: 'compdef () { :; }; _files () { print FILES; }; _describe () { eval "print -l -- \\$$2"; }\n',
  fish: ''
}

/** @param {string} word */
const quote = word => `'${word}'`

for (const shell of /** @type {const} */ (['bash', 'zsh', 'fish'])) {
  test(
    `${shell} completes commands, options, queues and scenarios by the script that timerq prints`,
    { skip: needs(shell) },
    async t => {
      const folder = temporaryFolder(t)
      const { code, stdout: script } = await timerq(['completion', shell])
      assert.equal(code, 0)
      writeFileSync(path.join(folder, 'script'), STUBS[shell] + script)
      writeFileSync(path.join(folder, 'timerq'), `#!/bin/sh\nexec ${quote(process.execPath)} ${quote(TIMERQ)} "$@"\n`, {
        mode: 0o755
      })
      writeFileSync(path.join(folder, 'my-file'), '')
      const { flags, ask } = SHELLS[shell]
      const env = { ...process.env, HOME: folder, PATH: `${folder}${path.delimiter}${process.env.PATH}` }
      const answer = (/** @type {string[]} */ ...words) => {
        const { stdout, stderr } = spawnSync(shell, [...flags, '-c', `source ./script; ${ask(words)}`], {
          cwd: folder,
          env,
          encoding: 'utf8'
        })
        assert.equal(stderr, '')
        return stdout
          .split('\n')
          .filter(Boolean)
          .map(line => line.split(/\t|:/)[0])
      }
      assert.deepEqual(answer('gat'), ['gate'])
      assert.deepEqual(answer('run', '--pre'), ['--preset'])
      assert.deepEqual(answer('run', '--queue', 'lazy-wheel,binary-'), ['lazy-wheel,binary-heap'])
      assert.deepEqual(answer('run', '--scenario', 'sta').sort(), ['staggered-expiry', 'start-cancel'])
      const file = { bash: [], zsh: ['FILES'], fish: ['my-file'] }
      assert.deepEqual(answer('report', 'my-'), file[shell])
    }
  )
}
