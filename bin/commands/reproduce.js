import path from 'node:path'
import { UsageError } from '../../harness/model/errors.js'
import { chooseLoadGenerator } from '../../harness/http/load-generator.js'
import { tools } from '../../harness/profile/tools/index.js'
import { reproduce } from '../../harness/reproduce.js'
import { runId } from '../../harness/run.js'
import { queues } from '../../queues/index.js'
import { renderReproduced, renderReproducedMarkdown } from '../../reports/documents/reproduction.js'
import { findings } from '../../scenarios/findings.js'
import { scenarios } from '../../scenarios/index.js'
import { interruptible } from '../interruptible.js'
import { pickByName } from '../pick-by-name.js'
import { chooseRuntimes, integer, SEEDS } from '../planning.js'
import { CONTROL, presets } from '../presets.js'
import { createProgress } from '../progress.js'
import { terminalStyle } from '../terminal-style.js'

export const command = 'reproduce'
export const describe = 'Measure every finding of the source documents: held, or not held'

/** Enough for the slowest cell that a finding needs: lists that are searched are what some are about. */
const LIMITS_MS = { quick: 8000, documented: 300_000 }

/** @param {import('yargs').Argv} yargs */
export const builder = yargs => yargs
  .option('only', { type: 'string', requiresArg: true, describe: 'Findings: A, B3 (default: all)' })
  .option('preset', { choices: ['quick', 'documented'], default: 'quick', describe: 'How much is measured, and how long' })
  .option('rounds', { type: 'string', requiresArg: true, describe: 'Samples a cell (default: the preset\'s)' })
  .option('seed', { type: 'string', default: '1', requiresArg: true, describe: 'Of all random draws' })
  .option('out', { type: 'string', requiresArg: true, describe: 'Results directory (default: results/reproduce-<time>)' })
  .option('format', { choices: ['terminal', 'markdown', 'json'], default: 'terminal', describe: 'What to print' })
  .option('json', { type: 'boolean', describe: 'Print timerq-reproduce/1' })

/**
 * @param {any} argv
 * @returns {Promise<number>}
 */
export async function handler ({ only, preset, rounds, seed, out, format, json, color, streams }) {
  const chosen = chooseFindings(only)
  const directory = out ?? path.join('results', `reproduce-${runId(new Date())}`)
  const { micro, ...timing } = presets[preset]
  const progress = createProgress(streams.stderr)
  return interruptible(async signal => {
    const rows = await reproduce(chosen, {
      settings: {
        ...timing,
        preset,
        rounds: rounds === undefined ? timing.rounds : integer('--rounds', rounds, 1, 10_000),
        seed: integer('--seed', seed, 0, SEEDS - 1),
        budgetSeconds: null,
        load: await chooseLoadGenerator(),
        port: 0,
        // Findings are about time; what is counted has its own commands.
        micro: { ...micro, limitMs: LIMITS_MS[/** @type {'quick'} */ (preset)], exactLimitMs: 0 },
        control: CONTROL
      },
      catalogue: {
        queue: name => pickByName('queue', queues, name),
        scenario: name => pickByName('scenario', scenarios, name),
        runtimes: nodeFlags => chooseRuntimes({ nodeFlags })
      },
      profiler: /** @type {import('../../harness/profile/tools/index.js').Tool} */ (tools.find(({ name }) => name === 'cpu')),
      directory,
      command: ['timerq', ...process.argv.slice(2)],
      onProgress: progress.show,
      signal
    })
    progress.end()
    const render = {
      terminal: () => renderReproduced(rows, terminalStyle(streams.stdout, color)),
      markdown: () => renderReproducedMarkdown(rows),
      json: () => JSON.stringify({ format: 'timerq-reproduce/1', rows }, null, 2) + '\n'
    }[/** @type {'terminal'} */ (json ? 'json' : format)]
    streams.stdout.write(render())
    return 0
  }, () => {
    progress.end()
    streams.stderr.write(`timerq: stopped; finished samples are kept in ${directory}\n`)
  })
}

/** @param {string} [only] */
function chooseFindings (only) {
  if (only === undefined) return findings
  return only.split(',').flatMap(wanted => {
    const found = findings.filter(({ id }) => id === wanted || id.replace(/\d+$/, '') === wanted)
    if (found.length === 0) throw new UsageError(`--only must name findings, got "${wanted}" (${findings[0].id} to ${findings.at(-1)?.id})`)
    return found
  })
}
