/**
 * docs/example is what today's code makes of its measurements. `node lab/example.js --only report` makes it again; read
 * the difference.
 */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { cpSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { unpackExample } from '../lab/example-data.js'
import { writeReports } from '../lab/example-reports.js'
import { temporaryFolder } from './harness/temporary-folder.js'
import { PROJECT } from './pages.js'

const EXAMPLE = 'docs/example'
const REPORT = 'report.html'
const PICTURES = 'report-pictures'

/**
 * The text of each file that is made.
 *
 * @param {string} folder
 */
function readMade (folder) {
  const pictures = readdirSync(path.join(folder, PICTURES))
    .sort()
    .map(name => path.join(PICTURES, name))
  return new Map(
    [REPORT, ...pictures].map(file => [file, unpacked(readFileSync(path.join(folder, file), 'utf8'))])
  )
}

/**
 * Parts of a page are compressed, by each version of Node in another way.
 *
 * @param {string} text
 */
const unpacked = text =>
  text.replaceAll(/(?<=<script type="application\/gzip"[^>]*>)[^<]*/g, packed =>
    gunzipSync(Buffer.from(packed, 'base64')).toString()
  )

test("the example report is what today's code prints", async t => {
  const cwd = temporaryFolder(t)
  const [stored, copy] = [fileURLToPath(new URL(EXAMPLE, PROJECT)), path.join(cwd, EXAMPLE)]
  unpackExample(path.join(cwd, 'results/example'))
  cpSync(path.join(stored, 'profiles'), path.join(copy, 'profiles'), { recursive: true })
  const home = process.cwd()
  t.after(() => process.chdir(home))
  process.chdir(cwd)
  await writeReports('results/example', `${EXAMPLE}/profiles`, EXAMPLE)
  const [before, now] = [stored, copy].map(readMade)
  assert.deepEqual([...now.keys()], [...before.keys()])
  // Only names are compared: the differences of pages and pictures are long, and say little.
  assert.deepEqual(
    [...now].filter(([file, text]) => text !== before.get(file)).map(([file]) => file),
    []
  )
})
