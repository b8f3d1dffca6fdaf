/** Tests without their programs fail or are skipped, and nothing else is skipped. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { temporaryFolder } from './harness/temporary-folder.js'

const NEEDS = new URL('needs.js', import.meta.url).href

for (const { ci, outcome } of [
  { ci: '', outcome: /^ok 1 .* # SKIP needs wrk \(apt-get install wrk.*\)$/m },
  { ci: 'true', outcome: /^not ok 1 / }
]) {
  test(`where wrk is missing, a test that needs it ${ci ? 'fails with CI=true' : 'is skipped and says how to install it'}`, t => {
    const folder = temporaryFolder(t)
    const file = path.join(folder, 'some.test.mjs')
    writeFileSync(
      file,
      `import { test } from 'node:test'
import { needs } from ${JSON.stringify(NEEDS)}
test('under wrk', { skip: needs('wrk') }, () => { throw new Error('no wrk') })
`
    )
    const { stdout } = spawnSync(process.execPath, ['--test-reporter=tap', file], {
      encoding: 'utf8',
      env: { PATH: folder, CI: ci }
    })
    assert.match(stdout.replace(/^TAP version 13\n(# .*\n)*/, ''), outcome)
  })
}

/** Ways to skip a test that CI=true would not turn into a failure. */
const OTHER_SKIPS = [
  /\bskip: (?!.*(needs\(|skipUnless\(|\bskip\b)|(?!true)\w+ ?[,}])/,
  /^(?!.*skipUnless\().*'needs \S/,
  /\b(test|describe|it|t)\.(skip|todo|only)\b|\{ skip: true/
]

test('no test is skipped in any other way', () => {
  const folder = new URL('./', import.meta.url).pathname
  const aboutSkips = ['needs.test.js', 'reporter.test.js', 'harness/formats/vitest.test.js']
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    file => file.endsWith('.test.js') && !aboutSkips.includes(file)
  )
  const skips = files.flatMap(file =>
    readFileSync(path.join(folder, file), 'utf8')
      .split('\n')
      .filter(line => OTHER_SKIPS.some(pattern => pattern.test(line)))
      .map(line => `${file}: ${line.trim()}`)
  )
  assert.deepEqual(skips, [])
})
