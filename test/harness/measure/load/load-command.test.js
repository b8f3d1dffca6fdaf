/** Load commands: how they are split, and those that are refused before anything is measured. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import {
  assertLoadCommand,
  loadWithCommand,
  splitLoadCommand
} from '../../../../harness/measure/load/load-command.js'
import { urlOf } from '../../../../harness/measure/load/load-generator.js'

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

test('special requests are refused where a command cannot make them', async () => {
  await assert.rejects(
    loadWithCommand(['wrk', '{url}'])(
      /** @type {any} */ ({ requests: [{ method: 'GET', path: '/' }] })
    ),
    /--load-command cannot make/
  )
})

test('a command is split at spaces, but not within quotes', () => {
  assert.deepEqual(splitLoadCommand('ssh -o \'User name\' b  "" wrk {url} $HOME *'), [
    'ssh',
    '-o',
    'User name',
    'b',
    '',
    'wrk',
    '{url}',
    '$HOME',
    '*'
  ])
})

test('a load generator is sent where servers listen, or where it knows them', () => {
  assert.equal(urlOf({}, 80), 'http://127.0.0.1:80/')
  assert.equal(urlOf({ listen: '10.0.0.1' }, 80), 'http://10.0.0.1:80/')
  assert.equal(urlOf({ listen: '::1' }, 80), 'http://[::1]:80/')
})

test('placeholders that there are not are named, with those that there are', () => {
  assert.throws(() => splitLoadCommand('wrk {url} {uri}'), {
    exitCode: 2,
    message: /has no \{uri\} \(there are \{url\}, \{port\}, \{connections\}/
  })
})
