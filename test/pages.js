/** The pages of the project, and their links. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

export const PROJECT = new URL('../', import.meta.url)

/** Pages that somebody wrote. */
export const PAGES = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'llms.txt',
  'timers/README.md',
  'lab/README.md',
  ...['docs', 'docs/reference', 'lab/notebook'].flatMap(folder =>
    readdirSync(new URL(`${folder}/`, PROJECT))
      .filter(file => file.endsWith('.md'))
      .map(file => `${folder}/${file}`)
  )
]

/** [text](target), [text](<target>), src="target", srcset="target" and href="target". */
const LINK = /\]\(<([^>]+)>\)|\]\(([^)\s<]+)\)|\b(?:src(?:set)?|href)="([^"]+)"/g
/** A target with a scheme. */
const ELSEWHERE = /^(https?|data|mailto):/
const FENCED = /^```[^]*?^```$/gm
const HEADING = /^#+ (.+)$/gm

/** @param {string} page  Path in the project. */
export const readPage = page => readFileSync(new URL(page, PROJECT), 'utf8')

/**
 * @param {string} folder
 * @param {string} path
 * @returns {string | null} text of a file; '' for a folder; null if there is none
 */
export function readIn (folder, path) {
  const stats = statSync(join(folder, path), { throwIfNoEntry: false })
  if (stats === undefined) return null
  return stats.isDirectory() ? '' : readFileSync(join(folder, path), 'utf8')
}

/**
 * Links of a page that lead nowhere: no such file, or no such heading in it.
 *
 * @param {string} page  Path.
 * @param {(path: string) => string | null} read  As `readIn`.
 */
export function brokenLinks (page, read) {
  const targets = Array.from(String(read(page)).matchAll(LINK), ([, ...forms]) => String(forms.find(Boolean)))
  return targets
    .filter(target => !ELSEWHERE.test(target))
    .filter(target => {
      const [file, heading] = target.split('#')
      const path = file === '' ? page : decodeURIComponent(new URL(file, `file:///${page}`).pathname.slice(1))
      const found = read(path)
      return found === null || (heading !== undefined && path.endsWith('.md') && !headingsOf(found).includes(heading))
    })
}

/**
 * Names of a page's headings in links.
 *
 * @param {string} text
 */
function headingsOf (text) {
  return Array.from(text.replaceAll(FENCED, '').matchAll(HEADING), ([, heading]) =>
    heading
      .replaceAll(/\]\([^)]*\)/g, '')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-')
  )
}
