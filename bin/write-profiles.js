/** What is made of recorded profiles, in files beside them. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { UsageError } from '../harness/model/errors.js'
import { lookUp } from '../harness/execute.js'
import { buildTree, countTicks, isIdle, readCpuProfile } from '../harness/profile/analysis/cpu-profile.js'
import { differentialTree, flameTree } from '../harness/profile/analysis/flame-tree.js'
import { heavyProfile } from '../harness/profile/analysis/heavy-profile.js'
import { PROFILES } from '../harness/profile/run.js'
import { cpuPerTime, ownersIn } from '../harness/profile/analysis/shares.js'
import { renderDifferentialFlameGraph, renderFlameGraph } from '../reports/render/flame-graph/page.js'
import { formatParams } from '../harness/model/numbers.js'
import { renderHeavyProfile } from '../reports/render/heavy-profile.js'
import { writeReport } from './write-report.js'

/**
 * @typedef {import('../harness/results.js').Results} Results
 * @typedef {import('../harness/results.js').Sample} Sample
 */

const CPU_FILES = [['.cpuprofile', 'CPU profile'], ['.heavy.txt', 'heavy profile'], ['.flame.html', 'flame graph'], ['.difference.html', 'difference']]

/**
 * Of each CPU profile: the heavy profile as text, and the flame graph as a page.
 *
 * @param {Results} results
 * @returns {{queue: string, heavy: ReturnType<typeof heavyProfile>}[]}
 */
export function writeProfiles (results) {
  const { profiles, faults } = readProfiles(results)
  if (faults.length > 0) throw faults[0]
  return profiles.map(({ sample, profile, heavy, heading, tree }) => {
    const { queue } = sample
    writeReport(fileOf(results, sample, '.heavy.txt'), renderHeavyProfile(heavy, heading))
    const about = `${whereOf(sample)}: ${profile.ticks} ticks. ${HOW_TO_READ}`
    writeReport(fileOf(results, sample, '.flame.html'), renderFlameGraph(tree, { title: `CPU of ${queue}`, about }))
    return { queue, heavy }
  })
}

/**
 * Every CPU profile of a results directory, bottom up and top down. One that is damaged does not keep the others back.
 *
 * @param {Results} results
 */
export function readProfiles (results) {
  /** @type {UsageError[]} */
  const faults = []
  const profiles = cpuSamples(results).flatMap(sample => {
    try {
      const { profile, perTime, tree } = readProfile(results, sample)
      const heading = { title: `CPU profile of ${sample.cell}`, ticks: profile.ticks, idleTicks: countTicks(profile, isIdle) }
      return [{ sample, profile, heavy: heavyProfile(profile, perTime), heading, tree }]
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      faults.push(error)
      return []
    }
  })
  return { profiles, faults }
}

/**
 * What every tool has left in a results directory, and what was made of it.
 *
 * @param {Results} results
 * @param {string} from  Folder of the document that links there.
 * @returns {import('../reports/blocks.js').Link[]}
 */
export function linkProfiles (results, from) {
  return recordedSamples(results).flatMap(sample => {
    const { queue, details: { tool, files } } = sample
    /** @type {{file: string, name: string}[]} */
    const left = tool === 'cpu'
      ? CPU_FILES.map(([ending, name]) => ({ file: fileOf(results, sample, ending), name }))
      : files.map((/** @type {string} */ file) => ({ file: path.join(results.directory, PROFILES, file), name: tool }))
    return left.filter(({ file }) => existsSync(file)).map(({ file, name }) => ({
      text: `${queue} on ${whereOf(sample)}: ${name}`,
      href: path.relative(from, file).split(path.sep).map(encodeURIComponent).join('/')
    }))
  })
}

/**
 * A flame graph of the difference for each CPU profile that has a counterpart in the baseline.
 *
 * @param {Results} base
 * @param {Results} candidate  Gets the pages.
 * @param {object} [queues]
 * @param {string | null} [queues.from]  That others are compared with; null: each with itself in an earlier run.
 * @param {string | null} [queues.to]  The only one that is compared; null: all.
 * @returns {string[]} the files written
 */
export function writeDifferences (base, candidate, { from = null, to = null } = {}) {
  return cpuSamples(candidate).filter(({ queue }) => to === null || queue === to).flatMap(sample => {
    const partner = partnerOf(cpuSamples(base), sample, from)
    if (!partner) return []
    const tree = differentialTree(readProfile(base, partner).tree, readProfile(candidate, sample).tree)
    const file = fileOf(candidate, sample, '.difference.html')
    const about = `From ${partner.queue}, ${whereOf(partner)}, to ${sample.queue}, ${whereOf(sample)}. ${HOW_TO_READ}`
    writeReport(file, renderDifferentialFlameGraph(tree, { title: `CPU of ${sample.queue}, compared with ${partner.queue}`, about }))
    return [file]
  })
}

/**
 * Of the same runtime; only between runs may the runtime itself be what changed.
 *
 * @param {Sample[]} bases
 * @param {Sample} candidate
 * @param {string | null} queue
 * @returns {Sample | undefined}
 */
export function partnerOf (bases, candidate, queue) {
  const partners = bases.filter(base => base !== candidate && base.scenario === candidate.scenario &&
    base.queue === (queue ?? candidate.queue) && JSON.stringify(base.params) === JSON.stringify(candidate.params))
  return partners.find(({ runtime }) => runtime === candidate.runtime) ?? (queue === null ? partners[0] : undefined)
}

const HOW_TO_READ = 'Widths are shares of the CPU that the server used; idle time is left out.'

/** @param {Results} results */
const cpuSamples = results => recordedSamples(results).filter(({ details }) => details.tool === 'cpu')

/** @param {Results} results */
const recordedSamples = ({ samples }) => samples.filter(({ channel, failure }) => channel === 'profile' && !failure)

/** @param {Sample} sample */
function whereOf ({ scenario, params, runtime }) {
  return `${scenario} (${formatParams(params)}), Node ${runtime}`
}

/**
 * @param {Results} results
 * @param {Sample} sample
 * @param {string} ending
 */
function fileOf ({ directory }, { details }, ending) {
  return path.join(directory, PROFILES, details.files[0]).replace(/\.cpuprofile$/, ending)
}

/**
 * @param {Results} results
 * @param {Sample} sample
 */
function readProfile (results, sample) {
  const profile = buildTree(readCpuProfile(fileOf(results, sample, '.cpuprofile')))
  const perTime = cpuPerTime(sample.details.window)
  const { httpTask } = lookUp(results.run.plan, sample)
  return { profile, perTime, tree: flameTree(profile, perTime, ownersIn(httpTask)) }
}
