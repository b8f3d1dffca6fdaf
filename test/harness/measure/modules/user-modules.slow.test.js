/** A workload that prepares for long. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { descriptionsOf } from '../../descriptions.js'
import { temporaryModule } from '../../temporary-folder.js'

test('a workload may take seconds of CPU time to prepare', async t => {
  const url = temporaryModule(
    t,
    `export const scenario = { name: 'mine', kind: 'code', createWorkload () {
  for (let sum = 0; process.cpuUsage().user < 4e6;) for (let i = 0; i < 1e7; i++) sum += i
  return { phases: [{ metric: 'nsPerOp', operations: 1, run () {} }] }
} }
`
  )
  assert.equal((await descriptionsOf(url))[0].name, 'mine')
})
