/**
 * Every competitor of the league reads the example of lab/notebook/league.md. Needs git, gcc, cargo, go, npm and the
 * network.
 */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { partiesOf } from '../../lab/league/competitors.js'
import { readExample } from '../../lab/league/example.js'

const cache = fileURLToPath(new URL('../../results/league/cache', import.meta.url))

for (const { name, make } of partiesOf({ cache, extra: [] })) {
  test(`the competitors of ${name} read the example`, async t => {
    mkdirSync(cache, { recursive: true })
    const { bytes, requests, answers } = readExample()
    const stream = path.join(temporaryFolder(t), 'example.tqs')
    writeFileSync(stream, bytes)
    const converse = (
      /** @type {import('../../lab/league/competitors.js').Competitor} */ { command: [program, ...args], last },
      /** @type {string[]} */ lines
    ) =>
      spawnSync(program, [...args, stream, ...last], { input: `${lines.join('\n')}\n`, encoding: 'utf8' })
        .stdout.trim()
        .split('\n')
    for (const competitor of await make()) {
      const [ready, ns, ...trace] = converse(competitor, competitor.followsStream ? requests : requests.slice(0, 1))
      assert.equal(ready, answers[0], competitor.name)
      assert.ok(Number(ns) >= 0, `${competitor.name}: ${ns}`)
      assert.deepEqual(trace, competitor.followsStream ? answers.slice(2) : [], competitor.name)
    }
  })
}
