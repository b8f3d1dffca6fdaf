/** docs/example is what today's code makes of its measurements. `node lab/example.js --only report` makes it again; read the difference. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { timerqHere } from './bin/timerq.js'
import { temporaryFolder } from './harness/temporary-folder.js'
import { PROJECT } from './pages.js'

const EXAMPLE = 'docs/example'
const PROFILES = `${EXAMPLE}/profiles`
const MADE = ['report.md', 'report.html', 'report-pictures']

/**
 * The text of each file that is made.
 *
 * @param {string} folder
 */
function readMade (folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return new Map(entries.filter(entry => entry.isFile()).map(entry => path.join(path.relative(folder, entry.parentPath), entry.name)).sort()
    .filter(file => MADE.includes(file.split(path.sep)[0])).map(file => [file, readFileSync(path.join(folder, file), 'utf8')]))
}

test('the example report is what today\'s code prints', async t => {
  const cwd = temporaryFolder(t)
  const [stored, copy] = [fileURLToPath(new URL(EXAMPLE, PROJECT)), path.join(cwd, EXAMPLE)]
  cpSync(stored, copy, { recursive: true })
  for (const name of MADE) rmSync(path.join(copy, name), { recursive: true })
  for (const file of MADE.slice(0, 2)) {
    const { code, stderr } = await timerqHere(['report', EXAMPLE, '--profiles', PROFILES, '--out', `${EXAMPLE}/${file}`], { cwd })
    assert.equal(code, 0, stderr)
  }
  const [before, now] = [stored, copy].map(readMade)
  assert.deepEqual([...now.keys()], [...before.keys()])
  assert.ok(now.size > 10)
  // The difference of a page of a megabyte takes longer to find than it tells.
  assert.equal(now.get('report.md'), before.get('report.md'))
  assert.deepEqual([...now].filter(([file, text]) => text !== before.get(file)).map(([file]) => file), [])
})
