/** Whether another queue is worth a change of the user's program, in words. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { worthAnswer } from '../../../reports/answers/worth.js'

/** @type {[number, number, number]} */
const LEVEL = [0, -0.006, 0.004]

/**
 * @param {[saves: number, low: number, high: number]} saving
 * @param {'worth' | 'not-worth' | 'unclear'} verdict
 * @param {{metric?: string, usesTimers?: boolean, origin?: string, n?: number, queue?: string, command?: string[]}}
 *   [more]
 */
function answer (
  [saves, low, high],
  verdict,
  {
    metric = 'cpuMicrosPerRequest',
    usesTimers = true,
    origin = 'own',
    n = 12,
    queue = 'lazy-wheel',
    command = ['node', 'my server.js']
  } = {}
) {
  const best = { queue, saves, low, high, n, coverage: 0.95 }
  const figures = (/** @type {number} */ median) => ({ latencyP99Ms: { median }, rssBytes: { median: 64 * 2 ** 20 } })
  return worthAnswer(
    /** @type {any} */ ({
      worth: {
        verdict,
        best,
        isLevel: low <= 0 && high >= 0,
        savings: [best],
        control: 'node',
        metric,
        worthwhile: 0.03,
        usesTimers
      },
      run: 'results/try',
      settings: { program: { command } },
      queues: [
        { name: 'node', origin: 'built-in' },
        { name: queue, origin }
      ],
      cells: [
        { queue: 'node', metrics: figures(3.1) },
        { queue, metrics: figures(3) }
      ]
    }),
    ['--', ...command]
  )
}

test('one sentence says whether a queue is worth it, with its interval', () => {
  for (const [saving, verdict, text] of /** @type {[[number, number, number], 'worth' | 'not-worth', string][]} */ ([
    [
      [0.051, 0.042, 0.06],
      'worth',
      'Worth it: lazy-wheel takes 4.2 % to 6 % less CPU per request (95 % sure).'
    ],
    [
      [0.021, 0.014, 0.028],
      'not-worth',
      'Not worth it: lazy-wheel takes 1.4 % to 2.8 % less CPU per request (95 % sure), and a change is worth it from ' +
        '3 % on.'
    ],
    [
      [-0.05, -0.06, -0.04],
      'not-worth',
      'Not worth it: lazy-wheel takes 4 % to 6 % more CPU per request (95 % sure).'
    ],
    [
      LEVEL,
      'not-worth',
      'Not worth it: lazy-wheel is level with node, 0.4 % less to 0.6 % more CPU per request (95 % sure).'
    ]
  ])) {
    assert.equal(answer(saving, verdict).text, text)
  }
  assert.match(
    answer(LEVEL, 'not-worth', { metric: 'cpuMillisPerSecond' }).text,
    /more CPU per second of this load \(95 % sure\)/
  )
})

test('an open question names the command that closes it', () => {
  const { text, next } = answer([0.03, -0.01, 0.07], 'unclear')
  assert.equal(
    text,
    'Unclear so far: lazy-wheel takes 7 % less to 1 % more CPU per request (95 % sure), and a change is worth it ' +
      'from 3 % on.'
  )
  assert.equal(next, "timerq try --resume results/try --budget 10m -- node 'my server.js'")
  assert.match(answer([0.04, 0.01, 0.07], 'unclear').text, /^Unclear so far: lazy-wheel takes 1 % to 7 % less CPU /)
  assert.match(
    answer([0.04, 0.04, 0.04], 'unclear', { n: 1 }).text,
    /^Unclear: one heat of lazy-wheel is too few to tell\.$/
  )
})

test('what is worth it says how to use it: the package by the command of the user, a queue by a page', () => {
  const useOf = (/** @type {string} */ queue, /** @type {object} */ more = {}) => {
    const { next, reasons } = answer([0.051, 0.042, 0.06], 'worth', { queue, ...more })
    return [next, reasons.at(-1)]
  }
  const install = 'To use it: install timerq-timers (timers/README.md), and load it before your program.'
  for (const [command, next] of [
    [['node', 'my server.js'], "node --import timerq-timers/sockets 'my server.js'"],
    [['/opt/node', '--inspect', 'a.js'], '/opt/node --import timerq-timers/sockets --inspect a.js'],
    [['npm', 'start'], 'NODE_OPTIONS=--import=timerq-timers/sockets npm start']
  ]) {
    assert.deepEqual(useOf('timerq-timers', { command }), [next, install])
  }
  for (const [queue, origin] of [['lazy-wheel', 'own'], ['timerq-timers', 'user']]) {
    const page = `How to use ${queue}: docs/choosing-a-queue.md, "Using the winner".`
    assert.deepEqual(useOf(queue, { origin }), [undefined, page])
  }
  assert.equal(answer([0.01, 0.006, 0.014], 'worth', { origin: 'built-in' }).reasons.length, 1)
  assert.equal(answer([0.021, 0.014, 0.028], 'not-worth', { queue: 'timerq-timers' }).next, undefined)
})

test('the verdict comes with latency and memory, and mentions a load without idle timers', () => {
  assert.deepEqual(answer(LEVEL, 'not-worth').reasons, [
    'With node and with lazy-wheel: 99th percentile 3.10 and 3 ms, memory 64 and 64 MB.'
  ])
  assert.match(
    answer(LEVEL, 'not-worth', { usesTimers: false }).reasons[0],
    /^Your server restarts no idle timers of sockets under this load/
  )
})

test('two copies of node say whether the machine can tell', () => {
  assert.equal(
    answer(LEVEL, 'not-worth', { origin: 'built-in' }).text,
    'This machine can tell: node is level with itself, 0.4 % less to 0.6 % more CPU per request (95 % sure).'
  )
  assert.match(answer([0.01, 0.006, 0.014], 'not-worth', { origin: 'built-in' }).text, /^Node takes 0\.6 % to 1\.4 % less CPU .* than itself\. One check in twenty/)
})
