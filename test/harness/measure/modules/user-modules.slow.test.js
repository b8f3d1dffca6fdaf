/** A workload that prepares for long. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { descriptionsOf } from '../../../../harness/measure/modules/user-modules.js'
import { temporaryFolder } from '../../temporary-folder.js'

test('a workload may take seconds of CPU time to prepare', async t => {
  const file = path.join(temporaryFolder(t), 'mine.mjs')
  writeFileSync(
    file,
    `export const scenario = { name: 'mine', kind: 'code', createWorkload () {
  for (let sum = 0; process.cpuUsage().user < 4e6;) for (let i = 0; i < 1e7; i++) sum += i
  return { phases: [{ metric: 'nsPerOp', operations: 1, run () {} }] }
} }
`
  )
  assert.equal((await descriptionsOf(pathToFileURL(file).href))[0].name, 'mine')
})
