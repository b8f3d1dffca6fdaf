/** Reads samples.jsonl. Each line is checked against its schema, its run and the plan before anything relies on it. */
import { existsSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { UsageError } from '../model/errors.js'
import { groupBy } from '../model/group-by.js'
import { formatCount } from '../model/numbers.js'
import { stepIdOf } from '../plan/steps.js'
import { readLines } from './input.js'
import { checkWith, parseJson } from './json.js'
/** @import { Cell } from '../model/cell.js' */
/** @import { Run, Sample } from './results.js' */

/** All samples of a run are in memory: about 2 KiB each, so 400 MiB. */
export const MOST_SAMPLES = 200_000

const checkSample = checkWith('sample')

/**
 * Skips what a killed run left unfinished: the truncated last line, and a heat of which only a part was written. Also
 * skips repeated samples, which would count as further processes that agree.
 *
 * @param {string} file
 * @param {Run} run
 * @returns {{samples: Sample[], warnings: string[]}} samples in the order of the file
 * @throws {UsageError} when a line is damaged, of another run or of no cell of the plan, or when there are too many
 */
export function readSamples (file, run) {
  const cells = new Map(run.plan.cells.map(cell => [cell.id, cell]))
  /** @type {Sample[]} */
  const lines = []
  let isTruncated = false
  for (const { text, number, isWhole } of existsSync(file)
    ? readLines(file, { file: 'samples', line: 'sample' })
    : []) {
    if (number > MOST_SAMPLES) {
      throw new UsageError(
        `${file}: more than ${MOST_SAMPLES} samples, the most that timerq reads: ` +
          'measure fewer cells or rounds in one run'
      )
    }
    if (isWhole) lines.push(parseSample(text, `${file}:${number}`, run, cells))
    else isTruncated = true
  }
  const once = withoutRepeated(lines)
  const samples = withoutCutOff(once)
  const repeated = lines.length - once.length
  return {
    samples,
    warnings: [
      ...(samples.length === 0 ? ['no samples'] : []),
      ...(samples.length < once.length ? ['a heat was cut off and skipped: the run was killed while writing it'] : []),
      ...(isTruncated ? ['the last sample is truncated and was skipped: the run was killed while writing it'] : []),
      ...(repeated > 0
        ? [`${formatCount(repeated, 'repeated sample')} skipped: two processes wrote to this directory`]
        : [])
    ]
  }
}

/**
 * Marks every sample of a run: none may be taken for that of another run, seed or side.
 *
 * @param {Run} run
 * @returns {Pick<Sample, 'run' | 'seed' | 'trees'>}
 */
export function markOf ({ id, plan }) {
  const { trees } = plan.of.gate ?? {}
  return { run: id, seed: plan.settings.seed, ...(trees && { trees }) }
}

/**
 * @param {string} text
 * @param {string} where
 * @param {Run} run
 * @param {Map<string, Cell>} cells  Cells by id.
 */
function parseSample (text, where, run, cells) {
  const sample = /** @type {Sample} */ (checkSample(parseJson(text, where), where))
  for (const [part, own] of Object.entries(markOf(run))) {
    const found = sample[/** @type {keyof Sample} */ (part)]
    // Older timerqs wrote the id alone.
    if (found !== undefined && !isDeepStrictEqual(found, own)) {
      throw new UsageError(
        `${where}: the sample belongs to ${part} ${JSON.stringify(found)}, run.json is of ${JSON.stringify(own)}: ` +
          'do not mix files of two results directories'
      )
    }
  }
  const cell = cells.get(sample.cell)
  if (!cell) throw new UsageError(`${where}: /cell is not in run.json's plan, got ${JSON.stringify(sample.cell)}`)
  const other = /** @type {const} */ (['scenario', 'params', 'queue', 'side', 'runtime']).find(
    part => !isDeepStrictEqual(sample[part], cell[part])
  )
  if (other) throw new UsageError(`${where}: /${other} differs from that of its cell in run.json`)
  return sample
}

/** @param {Sample[]} samples */
function withoutRepeated (samples) {
  const seen = new Set()
  return samples.filter(sample => {
    // Several tools profile a cell in one round; everything else is measured once.
    if (sample.kind === 'profile') return true
    const name = `${stepIdOf(sample)} ${sample.cell}`
    const isRepeated = seen.has(name)
    seen.add(name)
    return !isRepeated
  })
}

/** @param {Sample[]} samples */
function withoutCutOff (samples) {
  const heats = groupBy(
    samples.filter(({ heat }) => heat !== undefined),
    ({ heat }) => heat
  )
  const cutOff = new Set(
    [...heats].flatMap(([heat, members]) => (members.some(({ heatSize }) => heatSize !== members.length) ? [heat] : []))
  )
  return samples.filter(({ heat }) => heat === undefined || !cutOff.has(heat))
}
