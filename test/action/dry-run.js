/** Runs the steps of an action as GitHub would, in a repository of the test's. */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** @param {string} file  Relative to the project. */
export const readYaml = file => parse(readFileSync(path.join(ROOT, file), 'utf8'))

/**
 * Runs the steps of a composite action as a runner would, one bash each. Steps that use another action are left out.
 *
 * @param {string} file  Relative to the project.
 * @param {object} options
 * @param {Record<string, string>} [options.inputs]
 * @param {Record<string, unknown>} [options.github]  The context of that name.
 * @param {string} options.cwd  The workspace.
 * @param {string} options.temp
 * @param {Record<string, string>} [options.env]
 */
export function dryRun (file, { inputs = {}, github = {}, cwd, temp, env = {} }) {
  const action = readYaml(file)
  const files = { GITHUB_OUTPUT: path.join(temp, 'output'), GITHUB_STEP_SUMMARY: path.join(temp, 'summary.md') }
  writeFileSync(files.GITHUB_STEP_SUMMARY, '')
  const defaults = Object.fromEntries(
    Object.entries(action.inputs ?? {}).map(([name, input]) => [name, input.default ?? ''])
  )
  /** @type {Record<string, any>} */
  const context = { inputs: { ...defaults, ...inputs }, github, runner: { temp }, steps: {} }
  let log = ''
  for (const step of action.runs.steps) {
    if (step.uses) continue
    writeFileSync(files.GITHUB_OUTPUT, '')
    const script = path.join(temp, 'step.sh')
    writeFileSync(script, step.run)
    const { status, stdout, stderr } = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', script], {
      cwd,
      encoding: 'utf8',
      env: {
        ...process.env,
        GITHUB_ACTIONS: 'true',
        GITHUB_ACTION_PATH: path.join(ROOT, path.dirname(file)),
        RUNNER_TEMP: temp,
        ...files,
        ...evaluateAll(step.env ?? {}, context),
        ...env
      }
    })
    log += stdout + stderr
    const outputs = readFileSync(files.GITHUB_OUTPUT, 'utf8')
      .trim()
      .split('\n')
      .filter(Boolean)
      .map(line => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)])
    if (step.id) context.steps[step.id] = { outputs: Object.fromEntries(outputs) }
    if (status !== 0) return result(status, step.name)
  }
  return result(0)

  /**
   * @param {number | null} code
   * @param {string} [failed]  Name of the step.
   */
  function result (code, failed) {
    const outputs = evaluateAll(
      Object.fromEntries(Object.entries(action.outputs ?? {}).map(([name, { value }]) => [name, value])),
      context
    )
    return { code, failed, log, outputs, summary: readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8') }
  }
}

/**
 * @param {Record<string, unknown>} values
 * @param {Record<string, any>} context
 */
function evaluateAll (values, context) {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      String(value).replaceAll(/\$\{\{\s*([\w.-]+)\s*\}\}/g, (_, expression) =>
        String(lookUp(expression, context) ?? '')
      )
    ])
  )
}

/**
 * @param {string} expression  name.name...
 * @param {Record<string, any>} context
 */
function lookUp (expression, context) {
  return expression.split('.').reduce((/** @type {any} */ value, name) => value?.[name], context)
}
