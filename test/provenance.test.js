/**
 * A table of figures says when, where and how it was measured: the day, the machine, the version of Node and the
 * command that makes it again, in its section or in the introduction of a section around it.
 */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { PAGES, readPage } from './pages.js'

/** A number with a decimal point, or with a unit. */
const FIGURE = /\d\.\d|\d ?(ns|µs|ms|s|%|x|KB|MB)(?=$|[\s,)|])/
/** Cells with figures that make a table one of figures: this many, and this share. */
const FEWEST = 6
const SHARE = 1 / 4

const PROVENANCE = {
  day: /\b20\d\d-\d\d-\d\d\b/,
  machine: /\bEPYC\b|\bXeon\b|\bRyzen\b|\bCore i\d\b/,
  Node: /\bNode v?\d+/,
  command: /(^|`)(npm run|npx|node|timerq) /m
}

/** @param {string} page */
function * tablesOfFigures (page) {
  /** Introductions of the sections around a line, by level. */
  const introductions = []
  for (const section of page.split(/^(?=#+ )/m)) {
    const level = /^#*/.exec(section)?.[0].length ?? 0
    introductions.splice(level, Infinity, section)
    for (const [table, heading] of section.matchAll(/^(\|.*)\n\|[-:| ]+\|\n(?:\|.*\n?)+/gm)) {
      const cells = table
        .split('\n')
        .slice(2)
        .flatMap(line => line.replaceAll(/`[^`]*`/g, '').split('|').slice(1, -1))
      const figures = cells.filter(cell => FIGURE.test(cell)).length
      if (figures >= FEWEST && figures >= SHARE * cells.length) yield { heading, around: introductions.join('\n') }
    }
  }
}

for (const name of PAGES) {
  test(`tables of figures in ${name} say their day, machine, Node and command`, () => {
    for (const { heading, around } of tablesOfFigures(readPage(name))) {
      const missing = Object.entries(PROVENANCE).filter(([, pattern]) => !pattern.test(around))
      assert.deepEqual(missing.map(([what]) => what), [], heading)
    }
  })
}

test('a table of figures without its day is noticed, and a table of words needs none', () => {
  const table = (/** @type {string} */ cell) => `| a |\n| - |\n${`| ${cell} |\n`.repeat(FEWEST)}`
  const page = `# Page\n\nNode 20, AMD EPYC: \`npm run league\`\n\n## A\n\n${table('word')}\n## B\n\n${table('1.5 ns')}`
  const [{ around }, ...others] = tablesOfFigures(page)
  assert.deepEqual([PROVENANCE.day.test(around), PROVENANCE.Node.test(around), others], [false, true, []])
})
