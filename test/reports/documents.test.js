/** What check, profile and reproduce print: golden files that were read before they were committed. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import picocolors from 'picocolors'
import { createDocument } from '../../reports/blocks.js'
import { checkedQueueDocument, checkSummary } from '../../reports/documents/check.js'
import { profilesSection, recordedProfilesDocument } from '../../reports/documents/profiles.js'
import { programProfileDocument } from '../../reports/documents/program-profile.js'
import { reproductionDocument } from '../../reports/documents/reproduction.js'
import { renderMarkdown } from '../../reports/render/markdown.js'
import { renderTerminal } from '../../reports/render/terminal.js'
import { assertGolden, assertNarrow, joinCases } from './assert-golden.js'

/** @import { ClaimVerdict } from '../../harness/reproduce/judge-claims.js' */

const KEPT = { clause: 'size', sentence: 'size is the number of pending timers', holds: true, counterexample: null }
const BROKEN = { ...KEPT, clause: 'never-early', sentence: 'Nothing fires early', holds: false }
const ENDLESS = { ...BROKEN, clause: 'returns', sentence: 'Every operation returns' }
const COUNTEREXAMPLE = "test('x', () => {\n\n  act()\n})"

/**
 * @param {object[]} clauses
 * @param {object} [more]
 */
const checked = (clauses, more) =>
  /** @type {any} */ ({
    queue: 'mine',
    holds: clauses.every(clause => clause === KEPT),
    clauses,
    sequences: { tried: 1500, planned: 1500, largest: { tried: 200_000, planned: 200_000 }, ...more }
  })

/**
 * A profile of V8's sampling profiler.
 *
 * @param {string} queue
 * @param {number} share
 * @param {object} [more]
 */
const sampleOf = (queue, share, more) =>
  /** @type {any} */ ({
    kind: 'profile',
    round: 0,
    queue,
    scenario: 'keep-alive',
    params: { connections: 400 },
    runtime: 'v20.20.2',
    metrics: { queueShare: share },
    warnings: [],
    details: {
      tool: 'cpu',
      files: ['a.html'],
      shares: {
        queue: { self: share - 0.01, inclusive: share },
        timers: { self: share, inclusive: share + 0.01 },
        collector: 0.02,
        idle: 0.1
      },
      fidelity: { error: -0.017 }
    },
    ...more
  })

/** @type {(name: string, ticks: number, url?: string, callers?: any[]) => any} */
const rowOf = (name, ticks, url = '', callers = []) => ({ name, url, line: 32, ticks, share: ticks / 1000, callers })
const HEAVY = {
  javascript: [
    rowOf('insert', 344, 'file:///a/my%queue.js', [rowOf('onread', 300, 'node:net')]),
    rowOf('stayBusy', 400, new URL('../../harness/profile/subject/busy.js', import.meta.url).href)
  ],
  native: [rowOf('writev', 50), rowOf('epoll', 500), rowOf('read', 20), rowOf('open', 10), rowOf('stat', 5)]
}

/** @param {any[]} samples */
const recorded = (...samples) =>
  recordedProfilesDocument(/** @type {any} */ ({ run: { environment: { node: 'v20.20.2' } }, samples }))

/** @param {object} figures */
const programProfile = figures =>
  programProfileDocument(
    /** @type {any} */ ([
      {
        name: '7',
        program: ['/srv/app.js'],
        cpuSeconds: 2,
        seconds: 3,
        timersShare: 0.2,
        ticks: 1000,
        fidelity: { known: 0.01, error: 0 },
        warnings: ['many ticks had no stack'],
        heavy: HEAVY,
        ...figures
      }
    ]),
    ['node', 'app.js']
  )

const CLAIMS = /** @type {[boolean | null, ClaimVerdict][]} */ ([
  [true, 'held'],
  [false, 'not held'],
  [null, 'undecided'],
  [null, 'not measured'],
  [null, 'excluded']
]).map(([holds, verdict], i) => ({
  id: `A${i}`,
  claim: 'A list is slow',
  documented: '10 times',
  measured: '12 times',
  holds,
  verdict,
  command: 'timerq run'
}))

const DOCUMENTS = {
  'a broken clause between others': checkedQueueDocument(
    checked([KEPT, { ...BROKEN, counterexample: COUNTEREXAMPLE }, KEPT])
  ),
  'too slow for all sequences': checkedQueueDocument(checked([KEPT], { tried: 1200 })),
  'too slow for the largest sequences': checkedQueueDocument(
    checked([KEPT], { largest: { tried: 20_000, planned: 200_000 } })
  ),
  'an operation did not return': checkedQueueDocument(checked([ENDLESS], { tried: 1200 })),
  'a check without sequences': checkedQueueDocument({ ...checked([KEPT]), sequences: null }),
  'one checked queue': checkSummary([checked([KEPT])]),
  'two checked queues': checkSummary([checked([KEPT]), { ...checked([BROKEN, KEPT, ENDLESS]), queue: 'bad' }]),
  'profiles of two queues': recorded(
    sampleOf('sorted-list', 0.344),
    sampleOf('unsorted-array', 0.026, {
      runtime: 'v24.0.0',
      warnings: [{ kind: 'wrong-profile', text: 'it gave 36.3 %' }]
    }),
    sampleOf('wheel', 0.01)
  ),
  'a profile that failed, and one that did not': recorded(
    sampleOf('sorted-list', 0.3),
    sampleOf('mine', 0, { failure: { kind: 'crash', message: 'cpu: the process ended with exit code 1' } })
  ),
  'pages of other tools, also of one that is named like a method': recorded(
    ...['0x', 'constructor'].map(tool => sampleOf('wheel', 0, { details: { tool, files: [`a.${tool}.html`] } }))
  ),
  'a program with timers': programProfile({}),
  'a program without timers': programProfile({ timersShare: 0, ticks: 10_000, heavy: { javascript: [], native: [] } }),
  'a program of unknown error': programProfile({ ticks: 100, program: [], fidelity: { known: 0.001, error: 0 } }),
  'a program of one tick': programProfile({ ticks: 1 }),
  'a program of too few ticks': programProfile({ ticks: 99, timersShare: 0 }),
  'claims of every verdict': reproductionDocument(CLAIMS),
  'one claim': reproductionDocument(CLAIMS.slice(0, 1)),
  'no claim': reproductionDocument([])
}

test('documents in a terminal equal their golden file, within 80 columns', () => {
  const text = joinCases(DOCUMENTS, document => renderTerminal(document, picocolors.createColors(false)))
  assertGolden('documents.terminal', text)
  assertNarrow(text)
})

test('a claim that held is good, one that did not is bad, and all others are open', () => {
  const [table] = DOCUMENTS['claims of every verdict'].blocks
  assert.ok(table.kind === 'table')
  const tones = table.rows.flatMap(({ cells }) => cells.flatMap(({ tone }) => tone ?? []))
  assert.deepEqual(tones, ['good', 'bad', 'open', 'open', 'open'])
})

test('profiles in a report equal their golden file: rounds of a queue apart, the lowest share first', () => {
  const samples = [
    sampleOf('my-queue', 0.1),
    sampleOf('my_queue', 0.05),
    ...[0.4, 0.3].map((share, round) => sampleOf('wheel', share, { round })),
    sampleOf('my-queue', 0.1, { params: { connections: 10 } })
  ]
  const heavy = { ...HEAVY, native: Array.from({ length: 30 }, (_, i) => rowOf(`native${i}`, 9)) }
  const profiles = samples.map(sample => ({
    sample,
    heavy: sample.queue === 'my_queue' ? heavy : HEAVY,
    heading: { title: `CPU profile of ${sample.queue}`, ticks: 1000, idleTicks: 10 }
  }))
  const links = [{ text: 'wheel: heavy profile', href: '../now/a%20b.heavy.txt' }]
  const sections = { both: profilesSection(profiles, links), 'files only': profilesSection([], links) }
  assertGolden(
    'profiles.markdown',
    joinCases(sections, section => renderMarkdown(createDocument([], [section])))
  )
})
