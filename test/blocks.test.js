/**
 * Output that pages quote is what timerq prints today, from a run that is kept in the repository. The line above a
 * block names the command, and the part of its output that is shown:
 *
 *   <!-- timerq report docs/recorded/run -->
 *   <!-- timerq report docs/recorded/run: the last paragraph -->
 *   <!-- timerq report docs/recorded/run: from "start-cancel" -->        to the next empty line
 *   <!-- timerq compare ... --json: from "    {" to "    }" -->
 *   <!-- not recorded: the reason -->                                    a drawing, or a block that differs every time
 *
 * The lists below `<!-- metrics: ROLE -->` are made from harness/model/metrics.js.
 *
 * `npm run blocks` writes the blocks again; read the difference.
 */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { metrics } from '../harness/model/metrics.js'
import { timerqHere } from './bin/timerq.js'
import { PAGES, PROJECT, readPage } from './pages.js'

const COLUMNS = 80
/** A fenced block, and the line above it. */
const BLOCK = /^(.*)\n```(\w*)\n([^]*?)^```$/gm
const SOURCE = ['sh', 'js', 'yaml']
const PRINTED = /^<!-- timerq (.+?)(?:: (the last paragraph|from .+))? -->$/
const NOT_RECORDED = /^<!-- not recorded: .+ -->$/
/** More would make the rule a formality. */
const MOST_NOT_RECORDED = 4

/** A list of the metrics of one role, and the mark above it. */
const METRICS = /^<!-- metrics: (\w+) -->\n(.+(?:\n.+)*)/gm

const RECORDED = ['docs/recorded', 'docs/example', 'lab/notebook/example']
const NAMES_FOLDERS = /\.(jsonl?(\.gz)?|cpuprofile|html)$/
/** The first two bytes of a packed file. */
const GZIP = 0x1f8b
/** Strings that are a path or the URL of a file, and are not below /timerq. */
const FOLDER = /"(?:file:\/\/)?\/(?!timerq[/"])\w[^"]*"/g

/** @param {string} page */
function blocksOf (page) {
  return Array.from(readPage(page).matchAll(BLOCK), ([block, mark, language, content]) => ({
    block,
    mark,
    language,
    content
  }))
}

/**
 * @param {string} output
 * @param {string} [part]  In the words of the mark.
 */
function partOf (output, part) {
  if (part === undefined) return output
  const lines = output.trimEnd().split('\n')
  if (part === 'the last paragraph') return `${lines.slice(lines.lastIndexOf('') + 1).join('\n')}\n`
  const [, from, to] = /** @type {RegExpExecArray} */ (/^from "(.+?)"(?: to "(.+)")?$/.exec(part))
  const rest = lines.slice(lines.findIndex(line => line.startsWith(from)))
  const end = to === undefined ? rest.indexOf('') : rest.findIndex(line => line.startsWith(to)) + 1
  return `${rest.slice(0, end).join('\n')}\n`
}

test('a part of an output is its last paragraph, or begins and ends as the mark says', () => {
  const output = 'a 1\na 2\n\nb 1\n\nc\n'
  assert.equal(partOf(output), output)
  assert.equal(partOf(output, 'the last paragraph'), 'c\n')
  assert.equal(partOf(output, 'from "a"'), 'a 1\na 2\n')
  assert.equal(partOf(output, 'from "a 2" to "b"'), 'a 2\n\nb 1\n')
})

for (const page of PAGES) {
  test(`every block of output in ${page} says which command prints it`, () => {
    const output = blocksOf(page).filter(({ language }) => !SOURCE.includes(language))
    assert.deepEqual(
      output.filter(({ mark }) => !PRINTED.test(mark) && !NOT_RECORDED.test(mark)),
      []
    )
    const indented = readPage(page)
      .replaceAll(BLOCK, '')
      .split('\n')
      .filter(line => line.startsWith('    '))
    assert.deepEqual(indented, [], 'blocks have fences, so that they can have a mark')
  })

  for (const { block, mark, language, content } of blocksOf(page).filter(({ mark }) => PRINTED.test(mark))) {
    const [, command, part] = /** @type {RegExpExecArray} */ (PRINTED.exec(mark))
    test(`${page}: timerq ${command} prints the block${part === undefined ? '' : ` (${part})`}`, async () => {
      const { code, stdout, stderr } = await timerqHere(command.split(' '), { cwd: fileURLToPath(PROJECT) })
      assert.ok([0, 1, 3].includes(code), stderr)
      const printed = partOf(stdout, part)
      if (process.env.RENEW_BLOCKS) {
        const renewed = `${mark}\n\`\`\`${language}\n${printed}\`\`\``
        writeFileSync(
          new URL(page, PROJECT),
          readPage(page).replace(block, () => renewed)
        )
        return
      }
      assert.equal(content, printed)
      assert.deepEqual(
        printed.split('\n').filter(line => line.length > COLUMNS),
        []
      )
    })
  }
}

test('docs/reference/formats.md lists every metric, as harness/model/metrics.js describes it', () => {
  const page = 'docs/reference/formats.md'
  const listOf = (/** @type {string} */ wanted) =>
    Object.entries(metrics)
      .filter(([, { role }]) => role === wanted)
      .map(([name, { unit, title }]) => `- \`${name}\`${unit && ` (${unit})`}: ${title}`)
      .join('\n')
  if (process.env.RENEW_BLOCKS) {
    writeFileSync(
      new URL(page, PROJECT),
      readPage(page).replaceAll(METRICS, (_, role) => `<!-- metrics: ${role} -->\n${listOf(role)}`)
    )
    return
  }
  const lists = [...readPage(page).matchAll(METRICS)]
  assert.deepEqual(
    lists.map(([, role]) => role).sort(),
    [...new Set(Object.values(metrics).map(({ role }) => role))].sort()
  )
  for (const [, role, shown] of lists) assert.equal(shown, listOf(role))
})

test('few blocks are not recorded', () => {
  const marks = PAGES.flatMap(page => blocksOf(page)).map(({ mark }) => mark)
  assert.ok(marks.filter(mark => NOT_RECORDED.test(mark)).length <= MOST_NOT_RECORDED)
})

/** @param {string} file  Gzipped or not. */
function readUnpacked (file) {
  const bytes = readFileSync(new URL(file, PROJECT))
  const isPacked = bytes.length > 1 && bytes.readUInt16BE() === GZIP
  return (isPacked ? gunzipSync(bytes) : bytes).toString()
}

for (const directory of RECORDED) {
  test(`${directory} names no folder of the machine that measured it`, () => {
    const all = readdirSync(new URL(`${directory}/`, PROJECT), { recursive: true, encoding: 'utf8' })
    const files = all.filter(file => NAMES_FOLDERS.test(file))
    assert.ok(files.length >= 2)
    for (const file of files) assert.deepEqual(readUnpacked(`${directory}/${file}`).match(FOLDER), null, file)
  })
}
