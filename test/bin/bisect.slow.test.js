/** `timerq gate --bisect` gives the exit codes that `git bisect run` takes. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { ONE_CELL, ONE_HEAT, project } from './project.js'
import { timerq, words } from './timerq.js'

test('a bisecting gate calls a commit bad only for a regression, and skips it where nothing is ' +
  'decided; wrong usage stops it', async t => {
  const { root, slowDown } = project(t)
  const gate = async (/** @type {string[]} */ ...args) => (await timerq(['gate', ...args], { cwd: root })).code
  const bisect = (/** @type {string[]} */ ...args) => gate('--bisect', ...ONE_HEAT, ...ONE_CELL, ...args)
  assert.equal(await bisect('--base', 'HEAD'), 125, 'one heat decides nothing')
  slowDown()
  assert.equal(await bisect('--base', 'HEAD'), 1)
  for (const lost of [words`--scenario ./lost.js`, words`--scenario ./lost/*.js`]) {
    assert.equal(await bisect('--base', 'HEAD', ...lost), 125, 'another commit may have the file')
  }
  for (const wrong of [words`--base nowhere`, words`--base HEAD --unknown`, words`--base HEAD --budget 1s`]) {
    assert.equal(await bisect(...wrong), 128)
  }
  assert.equal(await gate(...words`--base nowhere -- node server.js --bisect`), 2, 'the word is for the program')
})
