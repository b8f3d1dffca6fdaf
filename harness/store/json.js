/** Parses JSON that others may have written, and checks it against its schema before anything relies on it. */
import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { UsageError } from '../model/errors.js'
import { isMetric } from '../model/metrics.js'
import { isWarningKind } from '../model/warnings.js'
/** @import { ErrorObject, ValidateFunction } from 'ajv' */

/**
 * A test checks the schemas themselves. Checking them here, and compiling them into the fastest code, would take twice
 * as long.
 */
const ajv = new Ajv({
  allErrors: false,
  allowUnionTypes: true,
  strictRequired: false,
  strictTypes: false,
  validateSchema: false,
  code: { optimize: false }
})
ajv.addSchema(readSchema('common'))
ajv.addFormat('timerq-metric', isMetric)
ajv.addFormat('timerq-warning', isWarningKind)

/**
 * Schemas of what one question, instrument or format alone reads in a plan, by its name. Each lies beside that code.
 */
const PARTS = {
  benchmarks: '../formats/',
  gate: '../gate/',
  load: '../measure/load/',
  program: '../measure/program/',
  reproduce: '../reproduce/',
  trace: '../trace/'
}

/**
 * @param {string} text
 * @param {string} where  File, with the number of the line if it has several.
 * @returns {unknown}
 * @throws {UsageError} when it is no JSON
 */
export function parseJson (text, where) {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(`${where}: ${/** @type {Error} */ (error).message}`)
  }
}

/**
 * @param {'run' | 'sample' | 'cpu-profile' | 'load'} name  Name of the schema.
 * @returns {(value: unknown, where: string) => unknown} returns the value, or throws a UsageError that names the place
 *   in it
 */
export function checkWith (name) {
  /** @type {ValidateFunction | undefined} */
  let validate
  return (value, where) => {
    validate ??= ajv.compile(name === 'run' ? withParts(readSchema(name)) : readSchema(name))
    if (validate(value)) return value
    throw new UsageError(`${where}: ${describe(/** @type {ErrorObject[]} */ (validate.errors))}`)
  }
}

/**
 * @param {string} name
 * @param {string} [folder]  Relative to this file.
 */
function readSchema (name, folder = './schema/') {
  return JSON.parse(readFileSync(new URL(`${folder}${name}.schema.json`, import.meta.url), 'utf8'))
}

/** @param {any} schema  Schema of run.json. */
function withParts (schema) {
  const parts = Object.entries(PARTS).map(([name, folder]) => [name, readSchema('plan', folder)])
  Object.assign(schema.properties.plan.properties.of.properties, Object.fromEntries(parts))
  return schema
}

/** @param {ErrorObject[]} errors */
function describe (errors) {
  // The innermost error comes first; those after it say which part of the schema it is in.
  const [{ instancePath, message, propertyName, keyword, params }] = errors
  if (keyword === 'format') {
    const name = propertyName === undefined ? '' : `, ${JSON.stringify(propertyName)}`
    return `${instancePath} has an unknown name${name}: was it written by another version of timerq?`
  }
  const allowed =
    keyword === 'enum'
      ? `: ${params.allowedValues.join(', ')}`
      : keyword === 'const'
        ? ` ${JSON.stringify(params.allowedValue)}`
        : ''
  return `${instancePath} ${message}${allowed}`
}
