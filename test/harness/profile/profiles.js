/** Plans of profiles as short as possible, and queues for them. */
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { profilePlan } from '../../../harness/profile/record-profile.js'
import { aPlan } from '../a-run.js'
import { temporaryFolder } from '../temporary-folder.js'

export const PROJECT = new URL('../../../', import.meta.url)
const settings = {
  preset: 'quick',
  micro: { warmupMs: 1, leadMs: 1, turnMs: 1, turns: 1, limitMs: 10_000, exactLimitMs: 10_000, tailMs: 0 },
  httpWarmupMs: 50,
  httpHeat: { seconds: 1, sliceMs: 100 }
}
export const sortedList = {
  name: 'sorted-list',
  origin: /** @type {const} */ ('own'),
  url: new URL('queues/sorted-list.js', PROJECT).href,
  meta: /** @type {any} */ ({ accuracy: 'exact' })
}
/** Takes 20 000 blocks for each refresh: however few requests a loaded machine answers, some ticks are in the queue. */
export const busy = {
  ...sortedList,
  name: 'busy',
  origin: /** @type {const} */ ('user'),
  url: new URL('test/harness/measure/micro/rarely-slow-queue.js?method=reschedule&every=1&blocks=20000', PROJECT).href
}
export const dying = {
  ...sortedList,
  name: 'dying',
  origin: /** @type {const} */ ('user'),
  url: new URL('test/fixtures/queues/dying.js?after=50', PROJECT).href
}
export const node = {
  ...sortedList,
  name: 'node',
  origin: /** @type {const} */ ('built-in'),
  url: new URL('queues/node.js', PROJECT).href
}

/**
 * @param {any[]} queues
 * @param {'keep-alive' | 'start-cancel'} [name]
 * @param {number} [connections]
 */
export function planOf (queues, name = 'keep-alive', connections = 5) {
  const isMicro = name === 'start-cancel'
  return aPlan({
    question: 'profile',
    settings,
    end: { rounds: 1 },
    of: { load: { generator: 'autocannon', port: 0 } },
    queues,
    scenario: {
      name,
      kind: isMicro ? 'micro' : 'http',
      ...{ title: '', source: '' },
      url: new URL(`scenarios/${name}.js`, PROJECT).href,
      values: isMicro ? { size: [100] } : { connections: [connections], threads: [1], seconds: [1] }
    }
  })
}

/**
 * @param {import('node:test').TestContext} t
 * @param {import('../../../harness/plan/plan.js').Plan} plan
 * @param {import('../../../harness/profile/tools.js').Tool[]} tools
 */
export async function profile (t, plan, tools) {
  const directory = path.join(temporaryFolder(t), 'run')
  const results = await profilePlan(plan, { tools, directory, command: ['timerq', 'profile'] })
  return { results, files: readdirSync(path.join(directory, 'profiles')), folder: path.join(directory, 'profiles') }
}
