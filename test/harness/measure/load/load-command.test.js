/** Load commands that cannot work as they are written are refused before anything is measured. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { assertLoadCommand, splitLoadCommand } from '../../../../harness/measure/load/load-command.js'

for (const [word, command] of [
  ['|', 'client {url} | tee load.log'],
  ['2>&1', 'client {url} 2>&1'],
  ['>load.log', 'client {url} >load.log'],
  ['&&', 'client {url} && echo'],
  ['{url};', 'client {url}; echo'],
  ['`date`', 'client {url} `date`'],
  ['URL={url}', 'URL={url} client']
]) {
  test(`a load command that needs a shell for ${word} is refused`, () => {
    const message =
      `--load-command is started without a shell, which "${word}" needs ` +
      '(put the command into a script, or use sh -c "...")'
    assert.throws(() => splitLoadCommand(command), { exitCode: 2, message })
  })
}

test('a shell reads what is quoted for it, and on the other machine of ssh', () => {
  assert.deepEqual(splitLoadCommand('sh -c "client {url} | tail"'), ['sh', '-c', 'client {url} | tail'])
  assert.deepEqual(splitLoadCommand('ssh b client {url} > log'), ['ssh', 'b', 'client', '{url}', '>', 'log'])
  assert.deepEqual(splitLoadCommand('env A=1 client {url}?a=1&b=2;c'), ['env', 'A=1', 'client', '{url}?a=1&b=2;c'])
})

test('a load command that does not exist is wrong usage', () => {
  assertLoadCommand(['node'])
  assertLoadCommand([process.execPath])
  for (const program of ['no-such-tool', './no-such-tool']) {
    assert.throws(() => assertLoadCommand([program, '{url}']), {
      exitCode: 2,
      message: `--load-command: there is no program ${program} (install it, or name its path)`
    })
  }
})
