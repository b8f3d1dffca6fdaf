/** Links of all pages. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brokenLinks, PAGES, PROJECT, readIn, readPage } from './pages.js'

/** A path in the project, not a pattern. */
const PATH = /`((?:bin|docs|harness|lab|queues|reports|scenarios|test|timers|action)\/[\w./-]*)`/g
const WORKFLOWS = ['docs/workflows', '.github/workflows'].flatMap(folder =>
  readdirSync(new URL(folder, PROJECT)).map(file => `${folder}/${file}`)
)
const MANIFESTS = ['package.json', 'timers/package.json'].map(file => JSON.parse(readPage(file)))
const ADDRESS = /github\.com[/:]timerq|\btimerq\/timerq(@|\/action)|timerq@users/

/** @param {string} path */
const readProject = path => readIn(fileURLToPath(PROJECT), path)

test('a link that leads nowhere is found, and a heading that is not there', () => {
  const text = `# A \`b\`: c
[a](a.md#a-b-c) [b](b.md) [c](#d) <img src="c.svg"> [d](<d e.md>) [e](https://e)
\`\`\`sh
# d
\`\`\`
`
  assert.deepEqual(
    brokenLinks('a.md', path => (path === 'a.md' ? text : null)),
    ['b.md', '#d', 'c.svg', 'd e.md']
  )
})

for (const page of PAGES) {
  test(`every link of ${page} leads to a file and a heading`, () => {
    assert.deepEqual(brokenLinks(page, readProject), [])
  })
}

for (const page of PAGES) {
  test(`every path that ${page} names is there`, () => {
    const paths = Array.from(readPage(page).matchAll(PATH), ([, path]) => path)
    assert.deepEqual(
      paths.filter(path => readProject(path) === null),
      []
    )
  })
}

test('pages of the package link to files of the package', () => {
  const command = ['pack', '--dry-run', '--json', '--ignore-scripts']
  const [{ files }] = JSON.parse(execFileSync('npm', command, { cwd: PROJECT, encoding: 'utf8' }))
  /** @type {string[]} */
  const packed = files.map((/** @type {{path: string}} */ { path }) => path)
  const isPacked = (/** @type {string} */ path) => packed.some(file => `${file}/`.startsWith(path.replace(/\/?$/, '/')))
  const pages = packed.filter(file => file.endsWith('.md') || file === 'llms.txt')
  assert.ok(pages.length > 20)
  for (const page of pages) {
    assert.deepEqual(
      brokenLinks(page, path => (isPacked(path) ? readProject(path) : null)),
      [],
      page
    )
  }
})

test('nothing names an address of the project: there is none yet', () => {
  const fields = MANIFESTS.flatMap(manifest => ['repository', 'homepage', 'bugs'].filter(field => field in manifest))
  assert.deepEqual(fields, [])
  const files = [...PAGES, ...WORKFLOWS, 'action.yml', 'action/comment/action.yml']
  assert.deepEqual(
    files.filter(file => ADDRESS.test(readPage(file))),
    []
  )
})

test('packages that are not published yet are installed from files, which have the names of today', () => {
  const names = new Set(MANIFESTS.map(({ name, version }) => `${name}-${version}.tgz`))
  for (const page of PAGES) {
    for (const paragraph of readPage(page).split('\n\n')) {
      for (const [file] of paragraph.matchAll(/\btimerq[\w.-]*\.tgz/g)) assert.ok(names.has(file), `${page}: ${file}`)
      if (/npm (?:i|install) timerq/.test(paragraph)) assert.match(paragraph, /Once both are published/, page)
    }
  }
})
