/** Base against head of a server under load. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { rooms } from '../../harness/index.js'
import { planGate } from '../../bin/plans/gate.js'
import { parse } from '../../bin/request/request.js'
import { createRepository } from '../harness/gate/repository.js'

const { startGate } = await rooms.gate()
const SERVER = `const work = require('./work')
require('node:http').createServer((request, response) => response.end(String(work()))).listen(3000)
`
const workOf = (/** @type {number} */ turns) =>
  `module.exports = () => { let x = 0; for (let i = 0; i < ${turns}; i++) x = Math.imul(x + i, 31); return x }\n`

test('a gate measures the program of each side; a side that does not run has one line', async t => {
  const { root, write, commit } = createRepository(t)
  write('server.js', SERVER)
  write('work.js', workOf(100))
  commit('Begin')
  write('work.js', workOf(1_000_000))
  const home = process.cwd()
  process.chdir(root)
  t.after(() => process.chdir(home))

  const gate = async (/** @type {string} */ name) => {
    const words = ['gate', '--base', 'main', '--rounds', '1', '--seed', '1', '--connections', '5']
    const { request } = parse([...words, '--', process.execPath, 'server.js'])
    const plan = await planGate(/** @type {any} */ (request))
    const settings = { ...plan.settings, httpWarmupMs: 50, httpHeat: { seconds: 2, sliceMs: 100 } }
    return startGate({ ...plan, settings }, { directory: name, command: ['timerq', 'gate'] })
  }
  const { comparisons } = await gate('measured')
  const cpu = comparisons.find(({ metric }) => metric === 'cpuMicrosPerRequest')
  assert.equal(cpu?.pairs, 1)
  // 10 000 times the work: far beyond all that a busy machine can do.
  assert.ok(Number(cpu?.ratio) > 3, JSON.stringify(cpu))

  write('work.js', "throw new Error('broken')\n")
  await assert.rejects(gate('broken'), {
    exitCode: 4,
    message:
      /^head: .* server\.js ended with exit code 1: Error: broken \(each side contains only files that git tracks, and node_modules; --prepare builds others\)$/
  })
  assert.equal(existsSync('broken'), false)
})
