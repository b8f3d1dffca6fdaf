/** Answers of runs and of try, with the next command: a golden file that was read before it was committed. */
import { test } from 'node:test'
import { rank } from '../../../harness/judge/rank.js'
import { summarise } from '../../../harness/judge/summary.js'
import { withAnswer } from '../../../reports/answers/run.js'
import { cautions } from '../../../reports/documents/results.js'
import { aPlan, aRun } from '../../harness/a-run.js'
import { summaryOf } from '../../harness/judge/summary-of-heats.js'
import { assertGolden } from '../assert-golden.js'

/** @import { Interval } from '../../harness/judge/summary-of-heats.js' */
/** @import { Summary } from '../../../harness/judge/records.js' */

/** @type {Record<'fast' | 'level' | 'open' | 'slow' | 'far' | 'wide' | 'wider', Interval>} */
const AT = {
  fast: [0.4, 0.5, 0.6],
  level: [0.98, 1, 1.02],
  open: [0.5, 0.99, 1.5],
  slow: [1.9, 2, 2.1],
  far: [2.9, 3, 3.1],
  wide: [0.1, 0.2, 0.4],
  wider: [0.1, 0.3, 0.9]
}
const CLEAR = {
  'refresh 100': { wheel: AT.fast, heap: AT.slow },
  'start-cancel 100000': { wheel: [0.031, 0.032, 0.034], heap: [0.2, 0.21, 0.22] },
  'keep-alive': { wheel: [0.95, 0.96, 0.97], heap: [1, 1.02, 1.04] }
}
const ONE = { 'refresh 100': { wheel: AT.fast } }
const OPEN = { 'refresh 100': { wheel: AT.open } }
const MINE = { queues: { mine: { origin: 'user' } } }
const late = (/** @type {object} */ meta) => ({ queues: { wheel: meta } })
const skipped = (/** @type {string} */ kind, queue = 'mine') => ({
  skipped: [{ scenario: 'refresh', params: { size: 9000 }, runtime: 'v20', queue, kind, reason: 'too slow' }]
})

/** @type {Record<string, [places: object, options?: object, again?: string[] | null]>} */
const RUNS = {
  'the fastest everywhere': [CLEAR],
  'the worst table': [{ ...ONE, 'bursts 100': { wheel: AT.fast }, 'hold 100': { wheel: AT.fast, heap: AT.wide } }],
  'a queue that may do as well': [
    { 'refresh 100': { wheel: AT.wide, lazy: AT.wider }, 'bursts 100': { wheel: AT.wide, lazy: AT.wider } }
  ],
  'a tie': [
    {
      'refresh 100': { wheel: [0.15, 0.2, 0.25], lazy: [0.15, 0.204, 0.25] },
      'bursts 100': { wheel: [0.15, 0.2002, 0.25], lazy: [0.15, 0.2, 0.25] }
    }
  ],
  'within 5 % everywhere': [
    { 'refresh 100': { wheel: [0.5, 0.51, 0.51] }, 'bursts 100': { wheel: [1, 1.01, 1.02], heap: AT.slow } }
  ],
  'level in the only table': [{ 'refresh 10000': { wheel: [0.5, 0.51, 0.52], lazy: [0.51, 0.52, 0.523] } }],
  'not told apart in the only table': [{ 'refresh 10000': { wheel: [0.5, 0.51, 0.9], lazy: [0.6, 0.7, 0.8] } }],
  'all level': [{ 'refresh 10000': { wheel: [0.98, 0.99, 1.01], lazy: AT.level } }],
  'an open table': [OPEN, {}, ['--queue', './my queue.js']],
  'an open table that cannot be resumed': [OPEN, {}, null],
  'an open table, asked for 2 %': [OPEN, { end: { until: 0.02 } }],
  'a single heat': [{ 'refresh 100': { wheel: [0.08, 0.08, 0.08] } }, { n: 1, coverage: 0 }],
  'a single heat of several tables': [CLEAR, { n: 1, coverage: 0 }],
  'one queue': [{ 'refresh 100': {} }],
  nothing: [{}],
  'a level server': [{ ...CLEAR, 'keep-alive': { wheel: [0.99, 1, 1.02] } }],
  'a slower server': [{ ...CLEAR, 'keep-alive': { wheel: [1.02, 1.03, 1.04] } }],
  'an open server': [{ ...CLEAR, 'keep-alive': { wheel: [0.9, 1, 1.1] } }],
  'only a server': [{ 'keep-alive': CLEAR['keep-alive'] }],
  'a loss': [{ 'refresh 100': { wheel: AT.fast }, 'start-cancel 1000': { wheel: AT.slow } }],
  'a gain that is not told apart elsewhere': [{ ...ONE, 'bursts 100': { wheel: AT.open, heap: AT.far } }],
  'the control is the fastest': [{ 'refresh 100': { wheel: AT.slow }, 'bursts 100': { wheel: AT.slow } }],
  'my queue is slow': [{ 'refresh 100': { wheel: AT.fast, mine: AT.far } }, MINE],
  'my queue is slow in two tables': [{ 'refresh 100': { mine: AT.far }, 'bursts 100': { mine: AT.slow } }, MINE],
  'my queue has a gap': [{ 'refresh 100': { mine: AT.far } }, { ...MINE, more: skipped('time-limit') }],
  'my queue failed': [ONE, { more: { queues: [{ name: 'mine', origin: 'user' }], ...skipped('crash') } }],
  'my queue is the fastest': [{ 'refresh 100': { mine: AT.fast } }, MINE],
  'it breaks the contract': [ONE, late({ breaks: ['fires early'] })],
  'it is not exact': [ONE, late({ meta: { accuracy: { relative: 0.125 } } })],
  'a trace': [ONE, { of: { trace: { file: 'app.trace' } } }],
  'no time for a cell': [CLEAR, { more: skipped('out-of-time', 'wheel') }]
}

const TINYBENCH = { subject: 'task', of: { format: 'tinybench', group: '' } }
/** @type {Record<string, [groups: Record<string, Record<string, Interval>>, scenario?: object]>} */
const TASKS = {
  'the first task is the fastest': [{ sums: { parse: AT.slow } }, TINYBENCH],
  'another alternative is the fastest': [{ sums: { parse: AT.fast } }],
  'level tasks': [{ sums: { parse: AT.level } }, TINYBENCH],
  'open alternatives': [{ sums: { parse: AT.open } }],
  'one task': [{ sums: {} }, TINYBENCH],
  'the same tasks in two groups': [{ a: { ours: AT.fast }, b: { ours: AT.slow } }, TINYBENCH],
  'groups of other tasks': [
    {
      a: { a1: AT.fast, a2: [0.45, 0.6, 0.7] },
      ...Object.fromEntries([...'bcdefg'].map(name => [name, { [`${name}1`]: AT.slow }]))
    },
    TINYBENCH
  ]
}

/** @type {(groups: Record<string, Record<string, Interval>>, scenario?: object) => Summary} */
function tasksOf (groups, scenario = {}) {
  const heats = summaryOf(Object.fromEntries(Object.entries(groups).map(([name, ratios]) => [`${name} 1`, ratios])))
  const scenarios = heats.scenarios.map(({ name }) => ({ name, kind: 'code', control: 'lists', ...scenario }))
  const cells = heats.cells.map(cell => ({ ...cell, params: {} }))
  const summary = /** @type {any} */ ({ ...heats, scenarios, cells })
  return { ...summary, ranking: rank(summary) }
}

/** Tasks by nanoseconds: those below 1 ns are as cheap as an empty loop. @type {Record<string, number>[]} */
const REMOVED = [
  { parse: 20, slow: 40, dead: 0.3 },
  { dead: 0.3, parse: 20, slow: 40 },
  { parse: 20, dead: 0.3 },
  { dead: 0.3, gone: 0.3 }
]

/** @param {Record<string, number>} tasks */
function removedOf (tasks) {
  const queues = Object.keys(tasks).map(name => ({ name, origin: 'code', scenarios: ['work'] }))
  const scenario = { name: 'work', kind: 'code', values: {}, control: queues[0].name, ...TINYBENCH }
  const samplesOf = (/** @type {{queue: string}} */ { queue }) =>
    [0, 1, 2, 3].map(round => ({
      kind: 'heat',
      heat: `round ${round}`,
      heatSize: queues.length,
      metrics: { nsPerOp: tasks[queue] },
      slices: { nsPerOp: [tasks[queue], tasks[queue] * (1 + round / 1000)] },
      warnings: tasks[queue] < 1 ? [{ kind: 'empty-loop', text: 'let the task return its result' }] : []
    }))
  return summarise(aRun({ plan: aPlan({ queues, scenario }), samplesOf }))
}

/** @type {Record<string, [saves: Interval, verdict: string, more?: Record<string, any>]>} */
const TRIES = {
  'worth it': [[0.042, 0.051, 0.06], 'worth'],
  'worth it, by the package': [[0.042, 0.051, 0.06], 'worth', { queue: 'timerq-timers' }],
  'worth it, by the package under npm': [
    [0.042, 0.051, 0.06],
    'worth',
    { queue: 'timerq-timers', command: ['npm', 'start'] }
  ],
  'worth it, by a file of that name': [[0.042, 0.051, 0.06], 'worth', { queue: 'timerq-timers', origin: 'user' }],
  'too little': [[0.014, 0.021, 0.028], 'not-worth', { queue: 'timerq-timers' }],
  'a cost': [[-0.06, -0.05, -0.04], 'not-worth'],
  level: [[-0.006, 0, 0.004], 'not-worth', { usesTimers: false, metric: 'cpuMillisPerSecond' }],
  'no gain, and perhaps a cost': [[-0.3, -0.1, 0.004], 'not-worth'],
  open: [[-0.01, 0.03, 0.07], 'unclear'],
  'open above 0': [[0.01, 0.04, 0.07], 'unclear'],
  'one heat': [[0.04, 0.04, 0.04], 'unclear', { n: 1 }],
  'a check of the machine': [[-0.006, 0, 0.004], 'not-worth', { origin: 'built-in' }],
  'a check that tells nothing': [[-0.3, 0, 0.2], 'unclear', { origin: 'built-in' }],
  'a check that differs': [[0.006, 0.01, 0.014], 'worth', { origin: 'built-in' }]
}

/** @type {(saves: Interval, verdict: string, more?: Record<string, any>) => Summary} */
function tryOf ([low, saves, high], verdict, more = {}) {
  const { queue = 'lazy-wheel', origin = 'own', n = 12, command = ['node', 'my server.js'], ...worth } = more
  const best = { queue, saves, low, high, n, coverage: 0.95 }
  const cellOf = (/** @type {string} */ queue, /** @type {number} */ median) =>
    ({ queue, params: {}, warnings: [], metrics: { latencyP99Ms: { median }, rssBytes: { median: 64 * 2 ** 20 } } })
  const savings = [best, { ...best, queue: 'heap', low: -0.02, high: -0.01 }]
  const judged = { verdict, best, savings, isLevel: low <= 0 && high >= 0, control: 'node', worthwhile: 0.03 }
  return /** @type {any} */ ({
    ...summaryOf({}, { of: { program: { command } } }),
    worth: { metric: 'cpuMicrosPerRequest', usesTimers: true, ...judged, ...worth },
    queues: [{ name: 'node', origin: 'built-in' }, { name: queue, origin }],
    cells: [cellOf('node', 3.1), cellOf(queue, 3)]
  })
}

test('the answers to runs, tasks and tries equal their golden file', () => {
  /** @type {(title: string, summary: Summary, again?: string[] | null) => string} */
  const shown = (title, summary, again = []) => {
    const { text, reasons, next } = withAnswer({ ...summary, seconds: 10 }, again).answer
    const step = next && `next: ${next.command} (${next.seconds} s)`
    return [`=== ${title}`, text, ...reasons.map(reason => `- ${reason}`), step, ...cautions(summary), ''].join('\n')
  }
  assertGolden(
    'answers',
    [
      ...Object.entries(RUNS).map(([title, [places, options, again]]) =>
        shown(title, summaryOf(/** @type {any} */ (places), options), again)
      ),
      ...Object.entries(TASKS).map(([title, tasks]) => shown(title, tasksOf(...tasks))),
      ...REMOVED.map(tasks => shown(`removed: ${JSON.stringify(tasks)}`, removedOf(tasks))),
      ...Object.entries(TRIES).map(([title, tried]) => shown(`try: ${title}`, tryOf(...tried), ['--', 'node']))
    ].join('\n')
  )
})
