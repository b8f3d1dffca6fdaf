/** The calibration of the gate as a page of the documentation, with its picture. */
import { markdownTable } from 'markdown-table'
import { formatRate } from '../../../harness/model/numbers.js'
import { drawFigure } from '../../../reports/charts/index.js'
import { darkTheme, lightTheme, styleOf } from '../../../reports/charts/style.js'

/**
 * @typedef {import('./judge.js').Calibration} Calibration
 * @typedef {import('./judge.js').Outcomes} Outcomes
 *
 * @typedef {object} CalibrationReport
 * @property {Calibration} calibration
 * @property {import('../../../harness/environment.js').Environment} environment
 * @property {string[]} cells
 * @property {{warmupMs: number, measureMs: number}} timing
 */

/** Share found, by slowdown, that the gate is meant to reach. */
const TARGETS = new Map([[0.05, 0.8], [0.1, 0.95]])
/** As many rows of identical code are meant to be measured, with at most this rate of false alarms. */
const IDENTICAL_ROWS = 1000
const MOST_ALARMS = 1 / 1000
/** 95 % bounds for the number of rare events, where none, one or two were seen (J. A. Hanley and A. Lippman-Hand, JAMA 249, 1983: three in n). */
const MOST_ALARMS_BY_SEEN = [3, 4.74, 6.3]
/** The slowdown that is shown cell by cell: the smallest that a gate must find. */
const BY_CELL = 0.05

/** @param {CalibrationReport} report */
export function renderCalibration (report) {
  return [
    '# The gate, measured',
    'How often `timerq gate` raises a false alarm and how often it misses a slowdown, next to the judgements in common use. Measured on the machine below by `npm run calibrate`. [statistics.md](statistics.md) says how the gate judges.',
    setting(report),
    '## Identical code',
    identical(report.calibration),
    '## Code made slower by a known amount',
    slowed(report.calibration),
    picture('calibration-found', 'Share of slowdowns found, by their size: the gate and the usual judgements'),
    '## Judgements in common use, on the same samples',
    rivals(report.calibration),
    '## The exact channel',
    exact(report.calibration),
    '## How to repeat it',
    'The samples are kept in `results/calibration/`. You can stop measuring and continue later, or measure more of one kind.',
    '```sh\nnpm run calibrate -- --minutes 60\nnpm run calibrate -- --minutes 30 --only identical\nnpm run calibrate -- --only report\n```'
  ].join('\n\n') + '\n'
}

/**
 * @param {CalibrationReport} report
 * @returns {{name: string, text: string}[]}
 */
export function calibrationPictures ({ calibration }) {
  const series = [
    { name: 'timerq gate', found: calibration.slowed.map(({ outcomes }) => outcomes.regression / outcomes.rows), alarms: calibration.identical.regression / calibration.identical.rows },
    ...calibration.rivals
  ]
  /** @type {import('../../../reports/charts/lines.js').LinesFigure} */
  const figure = {
    kind: 'lines',
    id: 'calibration-found',
    title: 'Slowdowns called a regression',
    subtitle: 'Share of rows, by how much slower the code was made; at 0 % it is identical, so every regression is a false alarm',
    description: series.map(({ name, found, alarms }) => `${name}: ${[alarms, ...found].map(formatRate).join(', ')}`).join('. '),
    unit: '%',
    x: { title: 'slowdown, %', log: false },
    y: { title: 'called a regression, %', log: false },
    series: series.map(({ name, found, alarms }, index) => ({
      name,
      control: index === 0,
      style: styleOf(index),
      points: [alarms, ...found].map((share, i) => ({ x: i === 0 ? 0 : calibration.slowed[i - 1].slowdown * 100, value: share * 100, low: share * 100, high: share * 100, cell: i }))
    }))
  }
  return [
    { name: 'calibration-found.svg', text: drawFigure(figure, lightTheme) + '\n' },
    { name: 'calibration-found-dark.svg', text: drawFigure(figure, darkTheme) + '\n' }
  ]
}

/** @param {CalibrationReport} report */
function setting ({ calibration: { rounds, planned }, environment, cells, timing }) {
  return [
    `${environment.cores} x ${environment.cpu}, ${environment.kernel}, Node ${environment.node}; load average ${environment.loadAverage.join(', ')} when measuring began.`,
    `${cells.length} cells: ${cells.join(', ')}. In ${rounds.slowed} rounds every cell was measured seven times, in random order, each time in a fresh process (${timing.warmupMs} ms of warm-up, ${timing.measureMs} ms of measuring): the base, the base again, and the base with known amounts of useless work; in ${rounds.identical - rounds.slowed} more rounds only the base and the base again, two cells at a time on the two cores. Gates of these cells are drawn from these pairs: up to ${planned} pairs a cell, looked at as a gate looks, and ended after five minutes by the time that their samples took, controls included.`
  ].join('\n\n')
}

/** @param {Calibration} calibration */
function identical ({ identical, disjoint, alarmedGates, contaminatedGates }) {
  return [
    markdownTable([
      ['rows of identical code', 'rows', 'false alarms', 'at most (95 %)', 'passed', 'unclear', 'pairs a row'],
      ...disjoint.map(({ pairs, planned, outcomes }) => [
        `consecutive pairs, none used twice: ${pairs} ${pairs === planned ? 'planned' : `of ${planned} planned, the first look`}`,
        ...outcomeCells(outcomes)
      ]),
      ['gates drawn from all these pairs with replacement', ...outcomeCells(identical, false)]
    ], { align: ['l', 'r', 'r', 'r', 'r', 'r', 'r'] }),
    `${describeAlarms(disjoint[0])} Each line of consecutive pairs uses all pairs, with another plan; within a line no pair is used twice. Rows that are drawn share pairs: they show how the judgement behaves, but their number gives no bound. ${formatRate(alarmedGates)} of the gates drawn had a false alarm in some row. In ${formatRate(contaminatedGates)} the control moved, which gives no verdict (exit 4).`
  ].join('\n\n')
}

/** @param {Calibration['disjoint'][number]} gates */
function describeAlarms ({ pairs, outcomes: { rows, regression } }) {
  const kept = regression <= rows * MOST_ALARMS
  const outcome = rows < IDENTICAL_ROWS && kept ? `kept so far, in ${rows}` : `${regression} in ${rows}, ${kept ? 'reached' : 'missed'}`
  return `Target: at most 1 false alarm in ${IDENTICAL_ROWS} rows, with no pair used twice. In gates of ${pairs} pairs a row, the fewest at which a gate looks: ${outcome}.`
}

/**
 * @param {Outcomes} outcomes
 * @param {boolean} [areIndependent]
 */
function outcomeCells ({ rows, regression, pass, inconclusive, pairs }, areIndependent = true) {
  if (rows === 0) return ['0', '', '', '', '', '']
  const bound = areIndependent && regression < MOST_ALARMS_BY_SEEN.length ? formatRate(MOST_ALARMS_BY_SEEN[regression] / rows) : ''
  return [String(rows), String(regression), bound, formatRate(pass / rows), formatRate(inconclusive / rows), pairs.toFixed(1)]
}

/** @param {Calibration} calibration */
function slowed ({ slowed }) {
  return [
    markdownTable([
      ['slowdown added', 'measured', 'rows', 'found', 'unclear', 'passed', 'pairs a row', 'target'],
      ...slowed.map(({ slowdown, injected: { median, low, high }, outcomes: { rows, regression, inconclusive, pass, pairs } }) => [
        `+${slowdown * 100} %`,
        `+${formatRate(median)} (${formatRate(low)} to ${formatRate(high)})`,
        String(rows),
        formatRate(regression / rows),
        formatRate(inconclusive / rows),
        formatRate(pass / rows),
        pairs.toFixed(1),
        describeTarget(TARGETS.get(slowdown), regression / rows)
      ])
    ], { align: ['r', 'r', 'r', 'r', 'r', 'r', 'r', 'l'] }),
    'One row is slowed in a gate of otherwise identical code. "Measured" is the median of the cells, with the lowest and the highest. Slowdowns below the floor of 2 % should not be found; between floor and margin (5 %) either verdict is right.',
    byCell(slowed.find(({ slowdown }) => slowdown === BY_CELL)?.cells ?? [])
  ].join('\n\n')
}

/** @param {import('./judge.js').JudgedCell[]} cells */
function byCell (cells) {
  return markdownTable([
    ['cell', 'pairs of identical code differ by', `+${BY_CELL * 100} % measured as`, 'found'],
    ...cells.map(({ cell, spread, injected, found }) => [cell, formatRate(spread), `+${formatRate(injected)}`, formatRate(found)])
  ], { align: ['l', 'r', 'r', 'r'] })
}

/**
 * @param {number | undefined} target
 * @param {number} found
 */
function describeTarget (target, found) {
  if (target === undefined) return ''
  return `${formatRate(target)} found: ${found >= target ? 'reached' : `missed by ${Math.ceil((target - found) * 100)} points`}`
}

/** @param {Calibration} calibration */
function rivals ({ rivals, slowed, identical, alarmedGates }) {
  return [
    markdownTable([
      ['judgement', 'false alarms', 'gates with one', ...slowed.map(({ slowdown }) => `+${slowdown * 100} % found`)],
      ['timerq gate', formatRate(identical.regression / identical.rows), formatRate(alarmedGates), ...slowed.map(({ outcomes }) => formatRate(outcomes.regression / outcomes.rows))],
      ...rivals.map(({ name, alarms, alarmedGates, found }) => [name, formatRate(alarms), formatRate(alarmedGates), ...found.map(formatRate)])
    ], { align: ['l', 'r', 'r', ...slowed.map(() => 'r')] }),
    'Each judges one base process and one head process: what a benchmark script gives before and after a change. Here they were measured seconds apart and with V8 in one thread, which helps them; usually they are not. What they find beyond the gate at +2 %, they also find in identical code.'
  ].join('\n\n')
}

/** @param {Calibration} calibration */
function exact ({ exact: { same, alarms, compared, found, cellsFound } }) {
  return `Counted again without a change: ${alarms} of ${same} counts differed. One more comparison per operation, too little to see in time: found ${found} of ${compared} times, in ${cellsFound}.`
}

/**
 * @param {string} name
 * @param {string} description
 */
function picture (name, description) {
  return `<picture><source media="(prefers-color-scheme: dark)" srcset="${name}-dark.svg"><img alt="${description}" src="${name}.svg"></picture>`
}
