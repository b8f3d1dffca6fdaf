/** Plans of `timerq run`, `recommend` and `profile`, and how `reproduce` measures. */
import { loadOwnMeta, rooms, shardPlan } from '../../harness/index.js'
import { UsageError } from '../../harness/model/errors.js'
import { queues } from '../../queues/index.js'
import {
  CONTROL,
  DEFAULT_QUEUES,
  DEFAULT_SCENARIOS,
  presets,
  PROFILE,
  RECOMMEND,
  REPLAY,
  REPRODUCE
} from '../presets.js'
import { resolveQueues } from '../request/catalogue.js'
import { chooseParts, declared, describeChosen, measuredBy, planOf } from './parts.js'

/** @import { Plan } from '../../harness/plan/plan.js' */
/** @import { Asked, Choices, Reading } from './parts.js' */

/**
 * The control joins a user's queue, which would have no ratio without it.
 *
 * @param {Asked} request
 * @param {Reading} [reading]
 */
export async function planRun (request, reading) {
  const { preset: name = 'quick', trace } = request
  const preset = trace !== undefined && name === 'quick' ? REPLAY : presets[name]
  const described = await describeChosen(request, DEFAULT_SCENARIOS, reading)
  const parts = await chooseParts(request, { name, preset, queues: DEFAULT_QUEUES, sizes: name }, described)
  const controls = parts.queues.some(({ origin }) => origin === 'user')
    ? new Set(parts.scenarios.flatMap(({ kind }) => CONTROL[kind] ?? []))
    : []
  const missing = [...controls].filter(control => !parts.queues.some(({ name }) => name === control))
  const queues = [...parts.queues, ...(await declared(resolveQueues(missing)))]
  return partOf(planOf({ ...parts, queues }), request)
}

/**
 * Plans one profile of each server, longer than a quick run's samples.
 *
 * @param {Asked} request
 * @param {Reading} [reading]
 */
export async function planProfile (request, reading) {
  const { preset: name = 'quick', sweep, seconds } = request
  const chosen = { ...request, sweep: { ...sweep, ...(seconds && { seconds: [seconds] }) } }
  const described = await describeChosen(chosen, PROFILE.scenarios, reading)
  const parts = await chooseParts(
    chosen,
    {
      name,
      preset: { ...presets[name], end: { rounds: 1, budgetSeconds: null } },
      queues: DEFAULT_QUEUES,
      sizes: name,
      values: name === 'quick' ? { seconds: [PROFILE.seconds] } : {}
    },
    described
  )
  return partOf(planOf(parts), request)
}

/**
 * Plans the replay of a trace by the control and others.
 *
 * @param {Asked & {trace: string}} request
 * @returns {Promise<Plan>}
 */
export async function planRecommend ({ command, trace, queue, rounds, budget, until, seed }) {
  if (!(await rooms.trace()).readTrace(trace).kinds.includes(0)) {
    throw new UsageError(`${trace} starts no timer: there is nothing to recommend a queue for`)
  }
  const isByDefault = [rounds, budget, until].every(choice => choice === undefined)
  const end = isByDefault ? { rounds: RECOMMEND.rounds, budget: RECOMMEND.budgetSeconds } : { rounds, budget, until }
  const named = queue ?? resolveQueues(await exactQueues())
  const isComplete = named.some(({ name }) => name === CONTROL.micro)
  const plan = await planRun({
    command,
    trace,
    seed,
    ...end,
    queue: isComplete ? named : [...named, ...resolveQueues([CONTROL.micro])]
  })
  if (plan.cells.length < 2) {
    throw new UsageError(`recommend compares queues with ${CONTROL.micro} (name another queue that has the contract)`)
  }
  return plan
}

/** Queues that never fire late: others cannot replace Node's timers. */
async function exactQueues () {
  const timerqs = queues.filter(({ origin }) => origin === 'own')
  const metas = await Promise.all(timerqs.map(({ url }) => loadOwnMeta(url)))
  return timerqs.filter((_, i) => metas[i].accuracy === 'exact').map(({ name }) => name)
}

/**
 * How `timerq reproduce` measures; each finding names its own cells.
 *
 * @param {{preset: 'quick' | 'documented', rounds?: number, budget?: number, seed?: number}} request
 */
export async function measuringFindings ({ preset: name, budget, seed = 1, ...request }) {
  const preset = {
    ...presets[name],
    end: { rounds: REPRODUCE.rounds, budgetSeconds: null },
    micro: { ...presets[name].micro, limitMs: REPRODUCE.limitMs[name], exactLimitMs: REPRODUCE.countLimitMs[name] }
  }
  const measured = await measuredBy({ ...request, seed }, name, preset, true)
  return { ...measured, end: { ...measured.end, budgetSeconds: budget ?? REPRODUCE.budgetSeconds[name] } }
}

/**
 * The part of a plan for one of several machines.
 *
 * @param {Plan} plan
 * @param {Choices} request
 */
function partOf (plan, { shard, seed }) {
  if (shard === undefined) return plan
  if (seed !== undefined) return shardPlan(plan, shard)
  throw new UsageError('--shard needs --seed: all shards must measure the same workloads (try --seed 1 for each)')
}
