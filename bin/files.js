/** Files that commands write: reports with their pictures, and what is drawn from recorded profiles. */
import { accessSync, closeSync, constants, existsSync, lstatSync, openSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { makeFolder } from '../harness/store/make-folder.js'
import { readBeginning } from '../harness/store/input.js'
import { writing } from '../harness/store/writing.js'
import { UsageError } from '../harness/model/errors.js'
import { enumerate, formatParams } from '../harness/model/numbers.js'
import { filesOf, profileFile, readDifferences, readProfiles, recordedSamples } from '../harness/profile/recorded.js'
import { renderDifferentialFlameGraph, renderFlameGraph } from '../reports/render/flame-graph/page.js'
import { renderHeavyProfile } from '../reports/documents/heavy-profile.js'
import { renderMarkdown } from '../reports/render/markdown.js'
import { picturesOf } from '../reports/render/pictures.js'

/**
 * @typedef {import('../harness/store/results.js').Results} Results
 * @typedef {import('../harness/store/results.js').Sample} Sample
 */

const CPU_FILES = [['.cpuprofile', 'CPU profile'], ['.heavy.txt', 'heavy profile'], ['.flame.html', 'flame graph'], ['.difference.html', 'difference']]
/** How the beginning of what is drawn from a profile looks: a heavy profile, a flame graph. */
const DRAWN = /^CPU profile of |^<!doctype html>[^]*<title>timerq: /
const BEGINNING_BYTES = 4096
const HOW_TO_READ = 'Widths are shares of the CPU that the server used; idle time is left out.'

/** @type {Record<string, string>} */
const FORMATS = { '.txt': 'terminal', '.md': 'markdown', '.html': 'html', '.json': 'json', '.csv': 'csv' }

/**
 * What a command makes, by the ending of the file that it is to write.
 *
 * @param {string} [out]
 * @param {string[]} [endings]  Of what it can make.
 * @throws {UsageError} when the file has another
 */
export function formatOf (out = '', endings = Object.keys(FORMATS)) {
  const ending = path.extname(out)
  if (ending === '') return 'terminal'
  if (endings.includes(ending)) return FORMATS[ending]
  throw new UsageError(`--out must end in ${enumerate(endings, 'or')}, got "${out}" (or say with --format what to make)`)
}

/**
 * @param {string} file
 * @param {string} text
 * @param {'w' | 'wx' | 'a'} [flag]  wx: only where there is none. a: behind what is there.
 */
export function writeReport (file, text, flag = 'w') {
  writing(file, () => {
    makeFolder(path.dirname(file))
    writeFileSync(file, text, { flag })
  })
}

/**
 * Finds out, before much time is spent, whether writeReport can write a file later. Leaves the file as it is.
 *
 * @param {string} file
 */
export function assertReportable (file) {
  writing(file, () => makeFolder(path.dirname(file)))
  assertWritable(file)
}

/**
 * The same for a file whose folder must be there.
 *
 * @param {string} file
 */
export function assertWritable (file) {
  writing(file, () => {
    const found = statSync(file, { throwIfNoEntry: false })
    if (found?.isDirectory()) throw new Error('it is a folder')
    // Opening a pipe may wait for its reader, and closing it would end what is read.
    if (found && !found.isFile()) return accessSync(file, constants.W_OK)
    closeSync(openSync(file, found ? constants.O_WRONLY : 'wx'))
    if (!found) rmSync(file)
  })
}

/**
 * Writes a file beside a profile, whose name comes from data. It replaces its own earlier version only: neither a file that
 * timerq did not write, nor one that a link leads to.
 *
 * @param {string} file
 * @param {string} text
 */
function writeDrawing (file, text) {
  const found = lstatSync(file, { throwIfNoEntry: false })
  const isOurs = found === undefined || (found.isFile() && DRAWN.test(readBeginning(file, BEGINNING_BYTES)))
  if (!isOurs) throw new UsageError(`${file} was not written by timerq, and is left as it is (move it away to draw the profile)`)
  const unfinished = `${file}.new`
  rmSync(unfinished, { force: true })
  writeReport(unfinished, text, 'wx')
  renameSync(unfinished, file)
}

/**
 * Writes a markdown file, and its pictures into a folder beside it: report.md and report-pictures/.
 *
 * @param {string} file
 * @param {import('../reports/blocks.js').Document} document
 */
export function writeMarkdown (file, document) {
  const folder = `${path.basename(file, path.extname(file))}-pictures`
  writeReport(file, renderMarkdown(document, folder))
  for (const { name, text } of picturesOf(document)) writeReport(path.join(path.dirname(file), folder, name), text)
}

/**
 * Writes the heavy profile (text) and the flame graph (a page) of each CPU profile.
 *
 * @param {Results} results
 * @param {ReturnType<typeof readProfiles>} [read]  Its profiles, where they have been read already.
 */
export function writeProfiles (results, { profiles, faults } = readProfiles(results)) {
  if (faults.length > 0) throw faults[0]
  for (const { sample, profile, heavy, heading, tree } of profiles) {
    const { queue } = sample
    writeDrawing(profileFile(results, sample, '.heavy.txt'), renderHeavyProfile(heavy, heading))
    const about = `${whereOf(sample)}: ${profile.ticks} ticks. ${HOW_TO_READ}`
    writeDrawing(profileFile(results, sample, '.flame.html'), renderFlameGraph(tree, { title: `CPU of ${queue}`, about }))
  }
  return profiles
}

/**
 * Draws the difference from the baseline as a flame graph, beside each CPU profile of the candidate that has a counterpart.
 *
 * @param {Results} base
 * @param {Results} candidate
 * @param {{from?: string, to?: string}} queues
 * @returns {string[]} the files written
 */
export function writeDifferences (base, candidate, queues) {
  return readDifferences(base, candidate, queues).map(({ sample, partner, tree }) => {
    const file = profileFile(candidate, sample, '.difference.html')
    const about = `From ${partner.queue}, ${whereOf(partner)}, to ${sample.queue}, ${whereOf(sample)}. ${HOW_TO_READ}`
    writeDrawing(file, renderDifferentialFlameGraph(tree, { title: `CPU of ${sample.queue}, compared with ${partner.queue}`, about }))
    return file
  })
}

/**
 * Links to the files of every tool in a results directory, and to what was drawn from them.
 *
 * @param {Results} results
 * @param {string} from  Folder of the document with the links.
 * @returns {import('../reports/blocks.js').Link[]}
 */
export function linkProfiles (results, from) {
  return recordedSamples(results).flatMap(sample => {
    const { queue, details: { tool } } = sample
    /** @type {{file: string, name: string}[]} */
    const recorded = tool === 'cpu'
      ? CPU_FILES.map(([ending, name]) => ({ file: profileFile(results, sample, ending), name }))
      : filesOf(results, sample).map(file => ({ file, name: tool }))
    return recorded.filter(({ file }) => existsSync(file)).map(({ file, name }) => ({
      text: `${queue} on ${whereOf(sample)}: ${name}`,
      href: path.relative(from, file).split(path.sep).map(encodeURIComponent).join('/')
    }))
  })
}

/** @param {Sample} sample */
function whereOf ({ scenario, params, runtime }) {
  return `${scenario} (${formatParams(params)}), Node ${runtime}`
}
