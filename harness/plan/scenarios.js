/** Scenarios of a plan: the values that their parameters take, and the subjects of workloads without a queue. */
import { UsageError } from '../model/errors.js'
import { kinds } from '../model/kinds.js'

/** @import { ScenarioDescription } from '../subject/describe/describe-scenario.js' */
/** @import { CodeScenario, HttpScenario, MicroScenario } from '../../scenarios/contract.js' */
/** @import { PlannedQueue, PlannedScenario } from './plan.js' */
/** @import { Kind } from './steps.js' */

/** A task is a part of its scenario's module. Tasks of several files may share a name. */
const NO_MODULE = ''
/** Fields of a description that a plan keeps as they are. */
const KEPT = ['control', 'subject', 'flags', 'timing', 'isFitted', 'of']

/**
 * @typedef {object} DescribedScenario
 * @property {string} url
 * @property {ScenarioDescription} declared
 *
 * @typedef {object} ParameterValues
 * @property {keyof ScenarioDescription['presets']} sizes  Preset that the scenarios take values from.
 * @property {Record<string, number[]>} [values] Values in place of the preset's, for scenarios that have the parameter.
 * @property {Record<string, number[]>} [chosen]  Values that the user chose: some scenario must have each parameter.
 * @property {boolean} [isLargestOnly]  A parameter that is not chosen has its largest value only.
 * @property {boolean} [hasTrace]  There is a recorded program to replay.
 */

/**
 * @param {DescribedScenario[]} described
 * @param {ParameterValues} parameters
 * @throws {UsageError}
 */
export function planScenarios (described, { sizes, values, chosen = {}, isLargestOnly = false, hasTrace = false }) {
  const planned = described.map(({ url, declared }) => {
    const { name, parameters, presets, needsTrace } = declared
    if (needsTrace && !hasTrace) {
      throw new UsageError(`scenario ${name} replays a recorded program (timerq recommend app.trace)`)
    }
    const known = Object.entries({ ...values, ...chosen }).filter(([parameter]) => Object.hasOwn(parameters, parameter))
    for (const [parameter, numbers] of known) {
      const { minimum = 0 } = parameters[parameter]
      const low = numbers.find(number => number < minimum)
      if (low !== undefined) throw new UsageError(`${parameter} must be at least ${minimum}, got ${low}`)
    }
    const all = Object.entries({ ...presets[sizes], ...Object.fromEntries(known) })
    const kept = all.map(([parameter, numbers]) => [
      parameter,
      isLargestOnly && !Object.hasOwn(chosen, parameter) ? [Math.max(...numbers)] : numbers
    ])
    return planScenario(declared, url, Object.fromEntries(kept))
  })
  const unknown = Object.keys(chosen).find(parameter => !planned.some(({ values }) => Object.hasOwn(values, parameter)))
  if (unknown === undefined) return planned
  throw new UsageError(`no scenario of this run has a parameter "${unknown}" (timerq list shows what each has)`)
}

/**
 * @param {MicroScenario | HttpScenario | CodeScenario | ScenarioDescription} scenario
 * @param {string} url
 * @param {Record<string, number[]>} values
 * @returns {PlannedScenario}
 */
export function planScenario (scenario, url, values) {
  const own = /** @type {any} */ (scenario)
  const { name, kind, title, source } = own
  const declared = Object.fromEntries(KEPT.flatMap(field => (own[field] ? [[field, own[field]]] : [])))
  return { name, kind, title, source, steps: stepsOf(scenario), ...declared, url, values }
}

/**
 * Servers on all cores, as those of a cluster, cannot share one: they have no heats.
 *
 * @param {any} scenario
 * @returns {Kind[]}
 */
function stepsOf (scenario) {
  const { kind, countsOnly, usesAllCores, workers } = scenario
  const { isCode, isServer } = kinds[/** @type {PlannedScenario['kind']} */ (kind)]
  /** @type {Kind[]} */
  const counted = !isServer || isCountable(scenario) ? ['count'] : []
  if (countsOnly) return counted
  if (isCode) return ['heat', ...counted]
  return usesAllCores || workers ? ['alone', ...counted] : ['heat', 'alone', ...counted]
}

/**
 * Requests can be counted where they are all alike and answered at once.
 *
 * @param {HttpScenario} scenario
 */
function isCountable ({ coldStart, requests, workers, idleConnections, pauseMs }) {
  return !coldStart && !requests && !workers && !idleConnections && !pauseMs
}

/**
 * The alternatives of workloads without a queue, which several may share, the tasks of benchmark files, or the
 * workloads themselves.
 *
 * @param {DescribedScenario[]} described
 * @throws {UsageError} when two files have one name
 */
export function planSubjects (described) {
  /** @type {Map<string, PlannedQueue & {scenarios: string[]}>} */
  const subjects = new Map()
  for (const { url: ownUrl, declared } of described) {
    if (!kinds[declared.kind].isCode) continue
    const { name: scenario, title, alternatives, tasks } = declared
    const modules = tasks
      ? Object.fromEntries(tasks.map(task => [task, NO_MODULE]))
      : (alternatives ?? { [scenario]: ownUrl })
    for (const [name, url] of Object.entries(modules)) {
      const meta = /** @type {any} */ ({ name, title: tasks || alternatives ? name : title })
      /** @type {PlannedQueue & {scenarios: string[]}} */
      const subject = subjects.get(name) ?? { name, origin: 'code', url, scenarios: [], meta }
      if (subject.url !== url) {
        throw new UsageError(
          `${name} is measured by ${subject.scenarios[0]} and ${scenario}, from two files: give one another name`
        )
      }
      subject.scenarios.push(scenario)
      subjects.set(name, subject)
    }
  }
  return [...subjects.values()]
}
