import { test } from 'node:test'
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

const PROJECT = new URL('../', import.meta.url)
/** Files that the package does not hold. */
const REPOSITORY = `${JSON.parse(readFileSync(new URL('package.json', PROJECT), 'utf8')).homepage.split('#')[0]}/blob/main/`
const PAGES = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', ...readdirSync(new URL('docs/', PROJECT)).filter(file => file.endsWith('.md')).map(file => `docs/${file}`), 'docs/example/report.md']
/** [text](target), [text](<target>), src="target" and srcset="target". */
const LINK = /\]\(<([^>]+)>\)|\]\(([^)\s<]+)\)|\bsrc(?:set)?="([^"]+)"/g

for (const page of PAGES) {
  test(`every link of ${page} leads to a file`, () => {
    const text = readFileSync(new URL(page, PROJECT), 'utf8')
    const targets = [...text.matchAll(LINK)].map(([, ...forms]) => /** @type {string} */ (forms.find(Boolean)))
      .map(target => target.startsWith(REPOSITORY) ? new URL(target.slice(REPOSITORY.length), PROJECT).href : target)
    const local = targets.filter(target => !/^(https?:|#)/.test(target))
    assert.deepEqual(local.filter(target => !existsSync(new URL(target.split('#')[0], new URL(page, PROJECT)))), [])
  })
}
