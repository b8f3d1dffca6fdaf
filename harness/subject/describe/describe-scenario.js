/**
 * Loads a user's scenario, or a benchmark file, and describes it: all that a plan needs, as plain data. Runs in a
 * separate process.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { UsageError } from '../../model/errors.js'
import { placeOf } from '../../processes/answer.js'
import { kinds } from '../../model/kinds.js'
import { isOwnPhase } from '../../model/metrics.js'
import { enumerate } from '../../model/numbers.js'
import { createRandom } from '../../model/random.js'
import { shellQuoted } from '../../model/text.js'
import { needsOf } from '../http/needs.js'
import { FORMATS } from '../../formats/registry.js'
import { describeFile } from '../../formats/subject/describe.js'
import { forgetFile, loadBenchmarks } from '../../formats/subject/load.js'
import { A_PROGRAM, createCode, importModule } from '../modules/load.js'
import { findScenarioFault, valueInWords } from '../modules/scenario-fault.js'
/** @import { CodeWorkload, HttpScenario } from '../../../scenarios/contract.js' */
/** @import { TurnTimes } from '../../measure/micro/queue-process.js' */

/** Conditions of a file that does its work only as the main program, in a thread of it, or in vitest. */
const GUARDS = /\b((require|import\.meta)\.main|import\.meta\.vitest|isMainThread)\b|\bprocess\.argv\[1\]/

const NOTHING =
  `${findScenarioFault(undefined)}, and registers no task of ` + enumerate(FORMATS.map(({ name }) => name), 'or')

/**
 * @typedef {object} ScenarioDescription  The fields of a scenario; a function is `true`.
 * @property {string} name
 * @property {string} title
 * @property {'micro' | 'http' | 'code'} kind
 * @property {string} source
 * @property {Record<string, {title: string, minimum?: number}>} parameters
 * @property {Record<'quick' | 'documented' | 'ci', Record<string, number[]>>} presets
 * @property {Record<string, string>} [alternatives]  URLs of files.
 * @property {string} [control]
 * @property {string[]} [tasks]  Names of the tasks of a benchmark file, in the group that this scenario stands for.
 * @property {string} [fault]  Error of a benchmark file that has tasks, and its place: tasks may be missing.
 * @property {UsageError} [refusal]  The file cannot be loaded, and stands for its tasks.
 * @property {'task'} [subject]  The word for what it compares, where the other fields do not say it.
 * @property {string[]} [flags]  Flags of Node for the file's processes.
 * @property {Partial<TurnTimes>} [timing]  In place of the settings' times.
 * @property {boolean} [isFitted]  Its speed on this machine has set values and timing.
 * @property {{format: string, group: string, [own: string]: unknown}} [of]  Of a benchmark file: what its format needs
 *   to find the tasks.
 * @property {boolean} [needsTrace]
 */

/**
 * Describes files one after the other: names of tasks need no process of their own.
 *
 * @param {{urls: string[], kept?: string}} task  `kept`: folder of what is kept.
 * @returns {Promise<{described: Described[]}>} of the first file, and of those that follow as long as each has done
 *   nothing but register tasks
 */
export async function describeFiles ({ urls, kept }) {
  /** @type {Described[]} */
  const described = []
  for (const url of urls) {
    const one = await describeScenario(url, kept)
    const isWhole = one.descriptions?.every(({ fault }) => !fault)
    // A file that is read after others, and has a fault, is read alone.
    if (isWhole || described.length === 0) described.push(one)
    if (!isWhole || !forgetFile()) break
  }
  return { described }
}

/**
 * @typedef {object} Described
 * @property {ScenarioDescription[]} [descriptions]  Several where a benchmark file has several groups of tasks.
 * @property {string} [refusal]  Fault of the file.
 * @property {string} [leftOut]  Reason why the file has nothing to measure.
 * @property {string[]} [notes]  What its library would do otherwise.
 * @property {boolean} [isNamed]  Whether the refusal names the file.
 * @property {boolean} [isAdvised]  Whether the reason says what to do.
 * @property {string[]} [flags]  Flags of Node with which the file must be described.
 *
 * @param {string} url
 * @param {string} [kept]
 * @returns {Promise<Described>}
 */
async function describeScenario (url, kept) {
  try {
    const loaded = await loadBenchmarks(url, kept).catch(({ message }) => ({ refusal: message, isNamed: true }))
    if ('refusal' in loaded) return loaded
    const { module } = loaded
    const { scenario } = module
    if (scenario === undefined) return (await describeFile(loaded, url)) ?? otherKindOf(module, url)
    const fault = findScenarioFault(scenario)
    if (fault) throw new UsageError(fault)
    const description = describeFields(scenario, url)
    const params = Object.fromEntries(Object.entries(description.presets.quick).map(([name, [value]]) => [name, value]))
    const { isServer, isCode } = kinds[description.kind]
    if (isServer) needsOf(/** @type {HttpScenario} */ (scenario), params)
    if (isCode) await tryWorkloads(description, url, params)
    return { descriptions: [description] }
  } catch (error) {
    return { refusal: `${/** @type {any} */ (error)?.message ?? error}` }
  }
}

/**
 * Describes a file that exports no scenario and has no tasks, and names the command that measures it.
 *
 * @param {Record<string, any>} module
 * @param {string} url
 * @returns {Described}
 */
function otherKindOf (module, url) {
  const isQueue = Object.values(module).some(value => typeof value?.prototype?.reschedule === 'function')
  const file = fileURLToPath(url)
  if (isQueue) {
    return { leftOut: `it is a queue, not a scenario (timerq run --queue ${shellQuoted(file)})`, isAdvised: true }
  }
  const [guard] = GUARDS.exec(readFileSync(file, 'utf8')) ?? []
  if (guard) {
    return {
      leftOut: `it asks for ${guard}, and registers no task where it is imported (register the tasks without that)`,
      isAdvised: true
    }
  }
  if (Object.keys(module).length > 0) return { leftOut: NOTHING }
  return { leftOut: `${NOTHING}; ${A_PROGRAM}`, isAdvised: true }
}

/**
 * @param {any} scenario
 * @param {string} url
 * @returns {ScenarioDescription}
 */
function describeFields (scenario, url) {
  const {
    name,
    kind,
    title = name,
    source = new URL(url).pathname.split('/').at(-1),
    parameters = {},
    presets = { quick: {} },
    alternatives
  } = scenario
  const { quick } = presets
  const marked = Object.entries(scenario).filter(([, value]) => value === true || typeof value === 'function')
  return {
    ...Object.fromEntries(marked.map(([field]) => [field, true])),
    ...JSON.parse(JSON.stringify({ name, kind, title, source, parameters })),
    presets: { quick, documented: { ...quick, ...presets.documented }, ci: { ...quick, ...presets.ci } },
    ...(alternatives && {
      alternatives: urlsOf(alternatives, url),
      control: scenario.control ?? Object.keys(alternatives)[0]
    })
  }
}

/**
 * @param {Record<string, unknown>} alternatives
 * @param {string} base
 */
function urlsOf (alternatives, base) {
  return Object.fromEntries(
    Object.entries(alternatives).map(([name, module]) => {
      const { href, protocol } = new URL(String(module), base)
      if (protocol === 'file:') return [name, href]
      throw new UsageError(
        `scenario.alternatives.${name} must be a file ('./${name}.js', or import.meta.resolve of a package), ` +
          `got ${valueInWords(module)}`
      )
    })
  )
}

/**
 * Creates every workload once, so that faults show before the run.
 *
 * @param {ScenarioDescription} description
 * @param {string} scenarioUrl
 * @param {Record<string, number>} params
 * @throws {UsageError}
 */
async function tryWorkloads ({ alternatives }, scenarioUrl, params) {
  for (const [name, queueUrl] of Object.entries(alternatives ?? { '': scenarioUrl })) {
    const which = name && ` for ${name}`
    if (name) await importModule(queueUrl, 'alternative')
    const workload = await createCode({ scenarioUrl, queueUrl, params }, createRandom(1)).catch(error => {
      throw new UsageError(`scenario.createWorkload failed${which}: ${error?.message ?? error}${placeOf(error)}`)
    })
    const fault = findWorkloadFault(workload)
    if (fault) throw new UsageError(`scenario.createWorkload${which}: ${fault}`)
  }
}

/**
 * @param {CodeWorkload} workload
 * @returns {string | undefined}
 */
function findWorkloadFault (workload) {
  const { phases, outcome } = Object(workload)
  if (!Array.isArray(phases) || phases.length === 0) {
    return `it must return { phases: [{ metric, operations, run }] }, got ${valueInWords(workload)}`
  }
  for (const [i, phase] of phases.entries()) {
    const { metric, operations, run } = Object(phase)
    const where = `phases[${i}]`
    if (typeof run !== 'function') return `${where}.run must be a function, got ${valueInWords(run)}`
    if (!Number.isSafeInteger(operations) || operations < 1) {
      return `${where}.operations must be a positive integer, got ${valueInWords(operations)}`
    }
    const isSingle = phases.length === 1
    const isRight = typeof metric === 'string' && (isOwnPhase(metric) || (metric === 'nsPerOp' && isSingle))
    if (!isRight) {
      return `${where}.metric must be ${isSingle ? 'nsPerOp' : 'a name like touchNsPerOp'}, got ${valueInWords(metric)}`
    }
  }
  const twice = phases.find(({ metric }, i) => phases.findIndex(phase => phase.metric === metric) !== i)
  if (twice) return `two phases have the metric ${twice.metric}`
  if (outcome !== undefined && !Number.isSafeInteger(outcome?.checksum)) {
    return `outcome.checksum must be an integer, got ${valueInWords(outcome?.checksum)}`
  }
}
