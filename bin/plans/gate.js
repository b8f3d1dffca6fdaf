/**
 * Plans of a gate: base against head of files in a repository or of a program, one Node against another, or one
 * file against another.
 */
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { rooms, toldApart, unreadFile } from '../../harness/index.js'
import { UsageError } from '../../harness/model/errors.js'
import { kinds } from '../../harness/model/kinds.js'
import { CONTROL, DEFAULT_QUEUES, GATE, TRY } from '../presets.js'
import { matchesAmong, resolveQueues, resolveScenarios } from '../request/catalogue.js'
import { didYouMean } from '../request/suggest.js'
import { chooseParts, declared, describeChosen, FEW_FILES } from './parts.js'
import { partsOfProgram } from './program.js'

/** @import { Missing } from '../../harness/gate/gate-plan.js' */
/** @import { GatePlan, GateSettings } from '../../harness/gate/gate-plan.js' */
/** @import { Plan } from '../../harness/plan/plan.js' */
/** @import { DescribedScenario, Reading } from './parts.js' */
/** @import { ProgramChoices } from './program.js' */

const {
  assertBudget,
  createGatePlan,
  deletedSince,
  gateFiles,
  gateRuntimes,
  repositoryRoot,
  resolveBase,
  runsTheSame
} = await rooms.gate()
const { DEFAULT_RULES } = await rooms.decision()
const { findBenchmarkFiles } = await rooms.findFiles()

/** Built-in timers have no file to compare. */
const GATED_QUEUES = DEFAULT_QUEUES.filter(name => name !== CONTROL.http)
/** Options that ask for more than the rows that a change has touched, or make other sides. */
const ASKING = /** @type {const} */ (['queue', 'task', 'size', 'sweep', 'expect', 'install', 'prepare', 'selfCheck'])
const PNP =
  "Yarn's Plug'n'Play finds no packages for the sides of a gate: nodeLinker: node-modules in .yarnrc.yml, then yarn, " +
  'installs them where they are found'
const PROGRAM_EXAMPLE = 'try timerq gate -- node server.js'

/**
 * Plans a gate by times: of a program, of the files of a repository, or of two versions of Node.
 *
 * @param {ProgramChoices} request
 * @param {Reading} [reading]
 * @returns {Promise<GatePlan>}
 * @throws {UsageError}
 */
export async function planGate (request, reading) {
  const { base, program, runtime, rules, expect } = request
  if (expect && rules && Math.max(rules.floor, rules.margin) >= 1) {
    throw new UsageError('--expect: a gain is always below 100 % (use a smaller --margin)')
  }
  if (!program) refuse(request, ['path', 'connections'], `is for a program (${PROGRAM_EXAMPLE})`)
  if (base === undefined && runtime !== undefined && !program) {
    refuse(request, ['prepare', 'install'], 'is for the sides of a revision (try --base main)')
    return planRuntimeGate(request, reading)
  }
  return program ? planProgramGate(request, program) : planFilesGate(request, reading)
}

/**
 * Base against head of queues, or of files that need no queue: workloads without one, and servers. Without a choice, of
 * the benchmark files that the project has.
 *
 * @param {ProgramChoices} named
 * @param {Reading} [reading]
 */
async function planFilesGate (named, reading) {
  const revisions = revisionsOf(named)
  const { root, baseRef, baseCommit, isSelfCheck, warnings = [] } = revisions
  const isOwn = named.queue !== undefined || named.scenario !== undefined || isTimerqs(root)
  const request = isOwn ? named : { ...named, scenario: findScenarios() }
  const described = (await unreadOf(request, revisions)) ?? (await describeChosen(request, GATE.scenarios, reading))
  const isNamed = request.queue !== undefined
  const servers =
    isNamed || !needNoQueue(described) ? null : described.flatMap(({ isUsers, url }) => (isUsers ? url : []))
  const parts = await chooseGated(request, described, servers ? [CONTROL.http] : GATED_QUEUES)
  const patterns = new Set((named.scenario ?? []).flatMap(({ pattern }) => pattern ?? []))
  const deleted = isSelfCheck || patterns.size === 0 ? [] : deletedSince(root, baseCommit)
  const lost = [...patterns].flatMap(pattern => matchesAmong(pattern, deleted, root))
  const { missing, ...files } = gateFiles(parts, { ...revisions, servers, isNamed })
  const noted = [...warnings, ...lost.map(file => `only ${baseRef} has ${file}: it was not compared`)]
  return createChecked(request, { ...parts, ...files }, { ...revisions, warnings: noted }, missing)
}

/**
 * Many benchmark files that no change can have touched: they are not read.
 *
 * @param {ProgramChoices} request
 * @param {{root: string, baseCommit: string}} revisions
 * @returns {Promise<DescribedScenario[] | null>}
 */
async function unreadOf (request, { root, baseCommit }) {
  const { scenario: files = [] } = request
  if (files.length <= FEW_FILES || files.some(({ isUsers }) => !isUsers)) return null
  if (request.measure === 'all' || ASKING.some(name => request[name])) return null
  const names = files.map(({ url }) => path.relative(root, fileURLToPath(url)).split(path.sep).join('/'))
  if (!(await runsTheSame(root, baseCommit, names))) return null
  return toldApart(files.map(file => ({ ...file, declared: unreadFile(file.spec) })))
}

/**
 * Whether the repository is timerq's own checkout, whose queues are gated.
 *
 * @param {string} root
 */
const isTimerqs = root => !path.relative(root, fileURLToPath(new URL('../../', import.meta.url)))

/**
 * The benchmark files of the project in this folder.
 *
 * @throws {UsageError} when there is none
 */
function findScenarios () {
  const folder = process.cwd()
  const { files, uncertain } = findBenchmarkFiles(folder)
  if (files.length + uncertain.length === 0) {
    throw new UsageError(
      `no benchmark file in ${folder}: neither *.bench.js, nor bench.js, nor a file in bench, benchmark, benchmarks ` +
        'or perf (timerq new --scenario makes one; --scenario and --queue name others)'
    )
  }
  return [files, uncertain].flatMap((found, i) =>
    resolveScenarios(found.map(file => `./${file}`)).map(one => ({ ...one, pattern: one.spec, isUncertain: i === 1 }))
  )
}

/**
 * Base against head of a program under load, each started in the folder of its side.
 *
 * @param {ProgramChoices} request
 * @param {string[]} program
 */
async function planProgramGate (request, program) {
  refuse(
    request,
    ['queue', 'scenario', 'runtime', 'size', 'sweep', 'counts'],
    'cannot be combined with a program, which is gated as it is (leave one of them out)'
  )
  const revisions = revisionsOf(request)
  const preset = { ...TRY.preset, end: { rounds: GATE.rounds, budgetSeconds: null } }
  const parts = await partsOfProgram(program, { ...request, budget: undefined }, preset)
  const queues = await declared(resolveQueues([CONTROL.http]))
  return createChecked(request, { ...parts, queues }, { ...revisions, isUncounted: true })
}

/**
 * The first Node against the second: the same queues and scenarios in one heat.
 *
 * @param {ProgramChoices} request
 * @param {Reading} [reading]
 */
async function planRuntimeGate (request, reading) {
  const { runtime = [] } = request
  if (request.selfCheck) throw new UsageError('--self-check needs a revision to compare with itself (try --base main)')
  if (runtime.length !== 2) {
    throw new UsageError(
      `gate without --base compares two versions of Node, got ${runtime.length} (try --runtime 24,26)`
    )
  }
  const described = await describeChosen(request, GATE.scenarios, reading)
  const parts = await chooseGated(request, described, needNoQueue(described) ? [CONTROL.http] : GATED_QUEUES)
  const { runtimes, gate } = await gateRuntimes(parts.runtimes, runtime)
  return createChecked(request, { ...parts, runtimes }, gate)
}

/**
 * @param {ProgramChoices} request
 * @param {Omit<Plan, 'cells'>} parts
 * @param {Omit<GateSettings, 'rules' | 'expect' | 'budgetSeconds' | 'looks' | 'unmatched' | 'mostRounds'>} gate
 * @param {Missing[]} [missing]
 */
function createChecked ({ rounds, budget, measure, rules = DEFAULT_RULES, expect }, parts, gate, missing) {
  const { budgetSeconds: usual } = GATE
  const isOpen = budget === undefined && rounds === undefined
  const chosen = { rules, budgetSeconds: budget ?? usual, ...(isOpen && { leastSeconds: usual }) }
  const asked = { ...(expect && { expect }), ...(measure && { measure }) }
  const plan = createGatePlan(parts, { ...gate, ...chosen, ...asked }, missing)
  // Nothing to measure is a result that is reported, too.
  if (plan.cells.length > 0) assertBudget(plan, { isLimited: rounds !== undefined })
  return plan
}

/**
 * @param {ProgramChoices} request
 * @param {(keyof ProgramChoices)[]} names
 * @param {string} reason
 */
function refuse (request, names, reason) {
  const named = names.find(name => request[name] !== undefined)
  if (named) throw new UsageError(`--${named.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)} ${reason}`)
}

/** @param {ProgramChoices & {bisect?: boolean}} request */
function revisionsOf ({ base, selfCheck, bisect }) {
  if (process.versions.pnp) throw new UsageError(PNP)
  const root = repositoryRoot(process.cwd())
  // All commits of a bisection have one base.
  return { root, ...resolveBase(root, base, { suggest: didYouMean, isTip: bisect }), isSelfCheck: selfCheck }
}

/** @param {DescribedScenario[]} described */
const needNoQueue = described => described.every(({ declared }) => !kinds[declared.kind].needsQueue)

/**
 * A parameter not chosen has its largest value only: heats are better spent on one cell than on two.
 *
 * @param {ProgramChoices} request
 * @param {DescribedScenario[]} described
 * @param {string[]} queues  Queues if the request names none.
 */
async function chooseGated (request, described, queues) {
  const { scenarios: names, countedOnly, rounds, budgetSeconds, ...times } = GATE
  const defaults = {
    name: request.command.name,
    preset: { ...times, end: { rounds, budgetSeconds: null } },
    scenarios: names,
    queues,
    sizes: /** @type {const} */ ('ci'),
    isLargestOnly: true
  }
  const parts = await chooseParts(request, defaults, described)
  const onlyCounted = (/** @type {string} */ name) =>
    request.counts || (request.scenario === undefined && countedOnly.includes(name))
  const scenarios = parts.scenarios.map(planned =>
    onlyCounted(planned.name) ? { ...planned, steps: planned.steps.filter(step => step === 'count') } : planned
  )
  return { ...parts, scenarios }
}
