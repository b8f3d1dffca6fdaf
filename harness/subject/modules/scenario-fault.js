/** Checks the fields of a scenario, which may be a user's. */

/** Kinds of scenarios, and the function that each must have. */
const KINDS = { micro: 'createWorkload', code: 'createWorkload', http: 'createServer' }
/** The load generator needs them. */
const LOAD_PARAMETERS = ['connections', 'seconds']

/**
 * @param {any} scenario
 * @param {string[]} [kinds]  Accepted kinds.
 * @returns {string | undefined}
 */
export function findScenarioFault (scenario, kinds = Object.keys(KINDS)) {
  if (typeof scenario !== 'object' || scenario === null) {
    return 'it exports no `scenario` (export const scenario = { name, kind, ... })'
  }
  const { name, kind, parameters = {}, presets = {}, alternatives, control } = scenario
  if (typeof name !== 'string' || !/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) {
    return `scenario.name must be in kebab case, got ${valueInWords(name)}`
  }
  if (!kinds.includes(kind)) {
    return `scenario.kind must be ${kinds.length > 1 ? 'one of ' : ''}${kinds.join(', ')}, got ${valueInWords(kind)}`
  }
  const needed = KINDS[/** @type {keyof typeof KINDS} */ (kind)]
  if (typeof scenario[needed] !== 'function') {
    return `scenario.${needed} must be a function, as kind is '${kind}', got ${valueInWords(scenario[needed])}`
  }
  const lacking = kind === 'http' && LOAD_PARAMETERS.find(parameter => !Object.hasOwn(parameters, parameter))
  if (lacking) return `scenario.parameters lacks ${lacking}, which the load of a server needs`
  const noValue = Object.keys(parameters).find(parameter => !isValues(presets.quick?.[parameter]))
  if (noValue) {
    return (
      `scenario.presets.quick.${noValue} must be a list of numbers, as scenario.parameters has ${noValue}, ` +
      `got ${valueInWords(presets.quick?.[noValue])}`
    )
  }
  const unknown = Object.values(presets)
    .flatMap(values => Object.keys(Object(values)))
    .find(parameter => !Object.hasOwn(parameters, parameter))
  if (unknown) return `scenario.presets sets ${unknown}, which scenario.parameters does not have`
  if (alternatives === undefined) return undefined
  if (kind !== 'code') return `scenario.alternatives is for kind 'code', got kind '${kind}'`
  if (Object.keys(Object(alternatives)).length === 0) {
    return 'scenario.alternatives must have a module by name, got none'
  }
  if (control !== undefined && !Object.hasOwn(alternatives, control)) {
    const names = Object.keys(alternatives).join(', ')
    return `scenario.control must be one of its alternatives (${names}), got ${valueInWords(control)}`
  }
}

/** @param {unknown} values */
const isValues = values =>
  Array.isArray(values) && values.length > 0 && values.every(value => Number.isFinite(value) && value >= 0)

/**
 * A value in a message.
 *
 * @param {unknown} value
 * @returns {string}
 */
export function valueInWords (value) {
  if (value === undefined) return 'nothing'
  if (typeof value === 'function') return 'a function'
  if (value instanceof Promise) return 'a promise'
  return (typeof value === 'number' ? String(value) : String(JSON.stringify(value))).slice(0, 60)
}
