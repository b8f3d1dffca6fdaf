/** The calibration of the gate as a page of the documentation. */
import { markdownTable } from 'markdown-table'
import { FEWEST_PAIRS } from '../../harness/model/heats.js'
import { enumerate } from '../../harness/model/numbers.js'
import { BUDGET_SECONDS, ROWS } from './judge.js'

/**
 * @typedef {import('./judge.js').Calibration} Calibration
 *
 * @typedef {import('./judge.js').Situation} Situation
 *
 * @typedef {import('./judge.js').Findings} Findings
 *
 * @typedef {import('./judge.js').Outcomes} Outcomes
 */

/** Rows of identical code that are meant to be measured, and false alarms among them at most. */
const IDENTICAL_ROWS = 1000
const MOST_ALARMS = 1 / 1000
/**
 * The 95 % bound of a rare event seen never, once, twice (J. A. Hanley and A. Lippman-Hand, JAMA 249, 1983: three in
 * n).
 */
const MOST_ALARMS_BY_SEEN = [3, 4.74, 6.3, 7.75, 9.15]
/** The slowdown that is shown cell by cell: a gate must just see it. */
const BY_CELL = 0.05
const NOT_MEASURED = 'not measured'

const COMMANDS = [
  '```sh',
  'npm run calibrate -- --minutes 60                    # everything',
  'npm run calibrate -- --minutes 60 --load             # with a busy loop on each core',
  'npm run calibrate -- --minutes 30 --only identical   # or slowed, servers, counts',
  'npm run calibrate -- --page                          # this page again, from its samples',
  '```'
].join('\n')

const ALARMS = 'false alarms in rows of identical code, no heat used twice'
const ALARMS_WANTED = `at most 1 in ${IDENTICAL_ROWS}`

/**
 * @typedef {object} Target
 * @property {string} title
 * @property {string} wanted
 * @property {(situation: Situation) => {text: string, isReached: boolean} | null} judge  null: not measured.
 *
 * @type {Target[]}
 */
const TARGETS = [
  {
    title: `${ROWS.micro} micro rows, identical code: rows left inconclusive`,
    wanted: 'at most 5 %',
    judge: ({ micro }) => micro && atMost(micro.identical.inconclusive / micro.identical.rows, 0.05)
  },
  {
    title: `${ROWS.micro} micro rows, one 3 % slower: found`,
    wanted: '60 %',
    judge: ({ micro }) => foundOf(micro, 0.03, 0.6)
  },
  {
    title: `${ROWS.micro} micro rows, one 5 % slower: found`,
    wanted: '95 %',
    judge: ({ micro }) => foundOf(micro, 0.05, 0.95)
  },
  {
    title: 'keep-alive, 2 queues, identical code: gates that pass',
    wanted: '95 %',
    judge: ({ servers }) => servers && atLeast(servers.passed, 0.95)
  },
  {
    title: 'keep-alive, 2 queues, one with 5 % more CPU per request: found',
    wanted: '80 %',
    judge: ({ servers }) => foundOf(servers, 0.05, 0.8)
  },
  {
    title: 'keep-alive, 2 queues, one with 10 % more CPU per request: found',
    wanted: '99 %',
    judge: ({ servers }) => foundOf(servers, 0.1, 0.99)
  },
  { title: ALARMS, wanted: ALARMS_WANTED, judge: ({ micro, servers }) => judgeAlarms([micro, servers]) }
]

/**
 * @param {Calibration} calibration
 * @param {import('./samples.js').Environment} environment
 */
export function renderCalibration (calibration, environment) {
  return (
    [
      '# How often the gate is wrong',
      headline(calibration),
      targets(calibration),
      `Measured by \`npm run calibrate\`, in gates of ${BUDGET_SECONDS / 60} minutes; ` +
        `how a gate judges is described in [trust](../../docs/reference/trust.md). ${setting(environment)}`,
      '## Identical code',
      'Every queue is compared with itself after edits that change nothing: comments, blank lines, a private field ' +
        'or a local name renamed, methods in another order. Such edits move code in memory, and that luck is part of ' +
        'these figures. Eight variants of one queue share a heat and make four pairs, which have no process in ' +
        'common. Which variants pair, and which of them is the base, is drawn.',
      ...inSituations(calibration, identical),
      '## Slower code',
      'One row of each gate is slowed by useless arithmetic, priced for each queue and scenario beforehand; the ' +
        'other rows are identical code. Slowdowns up to the floor of 2 % are to be ignored; between floor and margin ' +
        '(5 %) either verdict is right. The gates are drawn from all heats with replacement.',
      ...inSituations(calibration, slowed),
      '## Without a gate',
      rivals(calibration),
      '## The exact kind',
      exact(calibration),
      '## How to repeat it',
      'Samples are collected in `results/calibration/`: measuring may be stopped at any time and continued later. ' +
        'The samples behind this page are in `lab/notebook/calibration/samples.jsonl.gz`, one line a heat.',
      COMMANDS
    ].join('\n\n') + '\n'
  )
}

/**
 * The situations in which anything was measured.
 *
 * @param {Calibration} calibration
 */
function situationsOf ({ alone, loaded }) {
  return [
    { name: 'alone', situation: alone },
    { name: 'under load', situation: loaded }
  ].filter(({ situation: { micro, servers } }) => micro || servers)
}

/** @param {Calibration} calibration */
function headline (calibration) {
  const { rows, regression: alarms } = rowsOf(everyKind(calibration))
  const found = situationsOf(calibration).flatMap(({ name, situation: { micro, servers } }) => {
    const shares = [
      [micro, 'micro rows'],
      [servers, 'servers']
    ].flatMap(([findings, title]) => {
      const share = shareFound(/** @type {Findings | null} */ (findings), BY_CELL)
      return share === null ? [] : [`${percent(share)} of ${title}`]
    })
    return shares.length > 0 ? [`${name}, in ${enumerate(shares)}`] : []
  })
  if (rows === 0) return 'Too little has been measured so far to say how often `timerq gate` is wrong.'
  return [
    `\`timerq gate\` called ${alarms} of ${rows} rows of identical code a regression${boundText(alarms, rows)}.`,
    ...(found.length > 0
      ? [
          `In ${BUDGET_SECONDS / 60} minutes it finds a slowdown of ${BY_CELL * 100} %: ${found.join('; ')}. ` +
            '"Under load" means: with a busy loop on each core.'
        ]
      : [])
  ].join(' ')
}

/** @param {Calibration} calibration */
function targets (calibration) {
  const situations = situationsOf(calibration)
  const inWords = (/** @type {ReturnType<Target['judge']>} */ judged) =>
    judged ? `${judged.text}: ${judged.isReached ? 'reached' : 'not reached'}` : NOT_MEASURED
  return markdownTable([
    [`a gate of ${BUDGET_SECONDS / 60} minutes`, 'wanted', ...situations.map(({ name }) => name)],
    ...TARGETS.map(({ title, wanted, judge }) => [
      title,
      wanted,
      ...situations.map(({ situation }) => inWords(judge(situation)))
    ])
  ])
}

/** @param {import('./samples.js').Environment} environment */
function setting ({ cores, cpu, kernel, node, gitCommit, day, loadAverage }) {
  const machine = `${cores} x ${cpu}, ${kernel}, Node ${node}; timerq at ${gitCommit}`
  return `Machine: ${machine}; ${day}, load average ${loadAverage.join(', ')} when measuring began.`
}

/**
 * @param {Calibration} calibration
 * @param {(findings: Findings) => string} render
 */
function inSituations (calibration, render) {
  return situationsOf(calibration).flatMap(({ name, situation: { micro, servers } }) => [
    ...(micro ? [`**Micro rows, ${name}**`, render(micro)] : []),
    ...(servers ? [`**Servers, ${name}**`, render(servers)] : [])
  ])
}

/** @param {Findings} findings */
function identical ({ heats, planned, identical, disjoint, alarmed, contaminated }) {
  return [
    identicalRows([
      ...disjointCells(disjoint),
      [`drawn: up to ${planned} heats, two minutes`, ...outcomeCells(identical, false)]
    ]),
    `Heats measured: ${heats}. Each line uses them all again, with another plan. Drawn rows share heats, so no bound ` +
      `follows from their number: of the gates drawn, ${percent(alarmed)} had a false alarm in some row, and in ` +
      `${percent(contaminated)} the control moved, which gives no verdict (exit code 4).`
  ].join('\n\n')
}

/** @param {string[][]} rows */
function identicalRows (rows) {
  return markdownTable(
    [
      ['rows of identical code', 'rows', 'false alarms', 'at most (95 %)', 'passed', 'inconclusive', 'heats a row'],
      ...rows
    ],
    { align: ['l', 'r', 'r', 'r', 'r', 'r', 'r'] }
  )
}

/** @param {import('./judge.js').Disjoint[]} disjoint */
function disjointCells (disjoint) {
  return disjoint.map(({ pairs, planned, outcomes }) => [
    `no heat used twice: ${pairs === planned ? `${pairs} heats planned` : `the first ${pairs} of ${planned} planned`}`,
    ...outcomeCells(outcomes)
  ])
}

/**
 * @param {Outcomes} outcomes
 * @param {boolean} [areIndependent]
 */
function outcomeCells ({ rows, regression, pass, inconclusive, pairs }, areIndependent = true) {
  if (rows === 0) return ['0', '', '', '', '', '']
  const bound = areIndependent ? boundOf(regression, rows) : null
  return [
    String(rows),
    String(regression),
    bound === null ? '' : percent(bound),
    percent(pass / rows),
    percent(inconclusive / rows),
    pairs.toFixed(1)
  ]
}

/** @param {Findings} findings */
function slowed ({ slowed }) {
  if (slowed.length === 0) return 'Not measured.'
  const byCell = slowed.find(({ slowdown }) => slowdown === BY_CELL)
  return [
    markdownTable(
      [
        ['asked for', 'came out as', 'found', 'inconclusive', 'passed', 'heats a row', 'heats measured a cell'],
        ...slowed.map(
          ({
            slowdown,
            heats,
            injected: { median, low, high },
            outcomes: { rows, regression, inconclusive, pass, pairs }
          }) => [
            `+${slowdown * 100} %`,
            `${signed(median)} (${signed(low)} to ${signed(high)})`,
            percent(regression / rows),
            percent(inconclusive / rows),
            percent(pass / rows),
            pairs.toFixed(1),
            String(heats)
          ]
        )
      ],
      { align: ['r', 'r', 'r', 'r', 'r', 'r', 'r'] }
    ),
    'What it came out as is the median of the cells, and the lowest and the highest of them.',
    ...(byCell
      ? [
          markdownTable(
            [
              ['cell', 'identical code differs from heat to heat by', `+${BY_CELL * 100} % came out as`, 'found'],
              ...byCell.cells.map(({ cell, spread, injected, found }) => [
                cell,
                percent(spread),
                signed(injected),
                percent(found)
              ])
            ],
            { align: ['l', 'r', 'r', 'r'] }
          )
        ]
      : [])
  ].join('\n\n')
}

/** @param {Calibration} calibration */
function rivals (calibration) {
  const measured = situationsOf(calibration).flatMap(({ name, situation: { micro } }) =>
    micro && micro.slowed.length > 0 ? [{ name, ...micro }] : []
  )
  if (measured.length === 0) return 'Not measured.'
  return [
    'What a script does that runs a benchmark once before a change and once after it, judged on the same processes:',
    ...measured.flatMap(({ name, rivals, slowed, identical }) => [
      `**${name === 'alone' ? 'Alone' : 'Under load'}**`,
      markdownTable(
        [
          ['judgement', 'false alarms', ...slowed.map(({ slowdown }) => `+${slowdown * 100} % found`)],
          [
            'timerq gate',
            percent(identical.regression / identical.rows),
            ...slowed.map(({ outcomes }) => percent(outcomes.regression / outcomes.rows))
          ],
          ...rivals.map(({ name, alarms, found }) => [name, percent(alarms), ...found.map(percent)])
        ],
        { align: ['l', 'r', ...slowed.map(() => 'r')] }
      )
    ])
  ].join('\n\n')
}

/** @param {Calibration} calibration */
function exact ({ exact: { same, alarms, compared, found, cellsFound } }) {
  if (same === 0) return 'Not measured.'
  return (
    `Counted again without a change: ${alarms} of ${same} counts differed. One comparison more per operation, ` +
    `too little for any clock: found ${found} of ${compared} times, in ${cellsFound}.`
  )
}

/** @param {Calibration} calibration */
function everyKind ({ alone, loaded }) {
  return [alone.micro, alone.servers, loaded.micro, loaded.servers]
}

/** @param {({disjoint: import('./judge.js').Disjoint[]} | null)[]} kinds */
function judgeAlarms (kinds) {
  const { rows, regression } = rowsOf(kinds)
  return rows === 0
    ? null
    : {
        text: `${regression} in ${rows}${boundText(regression, rows)}`,
        isReached: rows >= IDENTICAL_ROWS && regression <= rows * MOST_ALARMS
      }
}

/**
 * Rows of identical code with no heat used twice, in gates that look as early as a gate may, when alpha is spent on the
 * fewest heats.
 *
 * @param {({disjoint: import('./judge.js').Disjoint[]} | null)[]} kinds
 */
function rowsOf (kinds) {
  const outcomes = kinds
    .flatMap(kind => (kind ? kind.disjoint : []))
    .filter(({ pairs, planned }) => pairs === FEWEST_PAIRS && planned === FEWEST_PAIRS)
    .map(({ outcomes }) => outcomes)
  return {
    rows: outcomes.reduce((sum, { rows }) => sum + rows, 0),
    regression: outcomes.reduce((sum, { regression }) => sum + regression, 0)
  }
}

/**
 * @param {Findings | null} findings
 * @param {number} slowdown
 */
function shareFound (findings, slowdown) {
  const found = findings?.slowed.find(one => one.slowdown === slowdown)
  return found ? found.outcomes.regression / found.outcomes.rows : null
}

/**
 * @param {Findings | null} findings
 * @param {number} slowdown
 * @param {number} wanted
 */
function foundOf (findings, slowdown, wanted) {
  const share = shareFound(findings, slowdown)
  return share === null ? null : atLeast(share, wanted)
}

/**
 * @param {number} share
 * @param {number} wanted
 */
const atLeast = (share, wanted) => ({ text: percent(share), isReached: share >= wanted })

/**
 * @param {number} share
 * @param {number} allowed
 */
const atMost = (share, allowed) => ({ text: percent(share), isReached: share <= allowed })

/**
 * @param {number} seen
 * @param {number} rows
 */
function boundOf (seen, rows) {
  return rows > 0 && seen < MOST_ALARMS_BY_SEEN.length ? Math.min(1, MOST_ALARMS_BY_SEEN[seen] / rows) : null
}

/**
 * @param {number} seen
 * @param {number} rows
 */
function boundText (seen, rows) {
  const bound = boundOf(seen, rows)
  return bound === null ? '' : ` (with 95 % certainty at most ${percent(bound)})`
}

/** @param {number} fraction */
const signed = fraction => `${fraction < 0 ? '-' : '+'}${percent(Math.abs(fraction))}`

/** @param {number} fraction */
function percent (fraction) {
  const value = fraction * 100
  // 99.95 % must not become 100 %.
  if (value > 99 && value < 100) return `${(Math.floor(value * 10) / 10).toFixed(1)} %`
  return `${value >= 10 || value === 0 ? value.toFixed(0) : value >= 1 ? value.toFixed(1) : value.toFixed(2)} %`
}
