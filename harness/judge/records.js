/**
 * The records of judging, as types: what is compared in pairs, how a comparison judges each row, and what a run shows
 * of each cell.
 *
 * @import { CellPlace } from '../model/cell.js'
 * @import { Subject } from '../model/kinds.js'
 * @import { Warning } from '../model/warnings.js'
 * @import { End, Plan, PlannedQueue, PlannedScenario, Settings } from '../plan/plan.js'
 * @import { Environment } from '../processes/environment.js'
 * @import { Ranking } from './rank.js'
 * @import { Worth } from './worth.js'
 *
 * @typedef {object} Pair  Samples of two sides that are compared.
 * @property {number} round
 * @property {number} base
 * @property {number} head
 * @property {number} ratio  Ratio of their slices; head / base if either has none.
 *
 * @typedef {{median: number, low: number, high: number, n: number, coverage: number}} Estimate
 *
 * @typedef {object} Ratio  From pairs, so it is more certain than the two medians are.
 * @property {string} to  Queue.
 * @property {'heat' | 'round'} by  Pairs of one heat, or of samples measured alone in one round.
 * @property {number} median  The typical ratio of a pair (see statistics/interval.js).
 * @property {number} low
 * @property {number} high
 * @property {number} n  Pairs.
 * @property {number} coverage
 */

/**
 * Comparisons of two sides: rows in, verdicts out.
 *
 * @typedef {'regression' | 'missed' | 'pass' | 'inconclusive' | 'invalid'} Verdict
 *
 * @typedef {object} Rules
 * @property {number} floor  0.02: slowdowns up to 2 % are not a regression, however significant.
 * @property {number} margin  0.05: to pass, a slowdown of 5 % must be excluded.
 * @property {number} alpha  Chance of one false alarm or more in all rows and looks together.
 *
 * @typedef {{rounds: number, share: number}} Look  After this many rounds; the share of alpha that it may spend.
 *
 * @typedef {{base: number, head: number}} Lost  Samples of each side.
 *
 * @typedef {object} RowKind
 * @property {string} metric
 * @property {boolean} gates  The verdict of the whole depends on the row.
 * @property {Wanted} [wanted]  Default: the row must not be slower.
 *
 * @typedef {object} Wanted  What the times of a row must show.
 * @property {'faster' | 'level'} change
 * @property {number} [floor]  Smallest gain to be exceeded: 0.05 for 5 %. Default: the floor of the rules.
 *
 * @typedef {CellPlace & RowKind & {pairs: Pair[], rounds: number, lost?: Lost, failure?: string}} Row `rounds` includes
 *   failed pairs; `failure` makes the row invalid.
 *
 * @typedef {object} RowFindings  null: unknown, or nothing was left to chance.
 * @property {string} unit
 * @property {'lower' | 'higher'} better
 * @property {Wanted} [expect]  What was wanted of the row.
 * @property {boolean} [guard]  A guard can fail the whole. An unclear guard lets the whole pass.
 * @property {number | null} base  Median.
 * @property {number | null} head  Median.
 * @property {number | null} ratio  Head to base.
 * @property {number | null} low One end is the bound of the test for a regression, the other must not reach the margin.
 * @property {number | null} high
 * @property {number | null} p  Probability of such pairs for a head at the floor, adjusted for looks and rows.
 * @property {number} pairs
 * @property {number | null} spread  Standard deviation of the log ratio of a pair, estimated from the median deviation.
 * @property {number | null} detectable Smallest slowdown, or gain where the row is expected to be faster, that would be
 *   shown four times in five.
 * @property {number | null} morePairs  About how many more pairs would decide an inconclusive row, where that is known.
 * @property {Lost} [lost]
 * @property {'slower' | 'faster' | 'same' | 'unclear'} change  Shown by the interval.
 * @property {boolean} exact
 * @property {ChangedFunction[]} [functions]  Functions whose exact counts changed most, of a count of blocks.
 * @property {boolean} [isOutweighed]  Of a count that has grown: its row is shown to take no longer, so it passes.
 * @property {Verdict} verdict
 * @property {string} [reason]  Reason why a row is invalid, or inconclusive where its interval does not show why.
 *
 * @typedef {object} ChangedFunction  Its place is that in the head, where the head has it.
 * @property {string} name
 * @property {string} [file]
 * @property {number} [line]  Missing where several functions share the name.
 * @property {number} base  Blocks per operation.
 * @property {number} head
 *
 * @typedef {CellPlace & Omit<RowKind, 'wanted'> & RowFindings} Comparison
 *
 * @typedef {object} ComparisonRecord
 * @property {'timerq-comparison/1'} format
 * @property {Verdict} verdict
 * @property {string} base
 * @property {{commits: number, commit: string}} [behind]  Where the head has left the branch of the base, which has
 *   gained commits since.
 * @property {string} head
 * @property {Rules} rules
 * @property {Subject} [subject]  Word for what the rows compare. Default: queue.
 * @property {Comparison[]} comparisons
 * @property {(CellPlace & {reason: string})[]} unmatched
 * @property {Control | null} control
 * @property {string[]} [unmeasured]  Changes in code that both sides ran. A gate with one cannot pass.
 * @property {string[]} [shared]  Code outside of the repository that both sides ran.
 * @property {{rows: number, of: number, subject: string}} [touched]  Rows that run code that has changed, of all.
 *   Missing where all rows were measured, whatever they run.
 * @property {CellPlace[]} [untouched]  Rows that were not measured, as nothing that they run has changed.
 * @property {string[]} [unrun]  Changed functions and modules that no task runs.
 * @property {CellPlace[]} [notFitting]  Touched rows for which the budget had no time.
 * @property {number} [seconds]  Seconds in which a gate measured.
 * @property {number} [loadSeconds]  CPU time in which a process loads its file, in the median.
 * @property {Receipt} [receipt]  Facts by which somebody else can repeat a gate.
 * @property {Earlier} [earlier]  Earlier gate of the same sides.
 * @property {string[]} warnings
 * @property {string[]} command
 */

/**
 * Parts that only the record of a gate has.
 *
 * @typedef {{ratio: number, low: number, high: number, pairs: number, moved: boolean}} Control The base against itself,
 *   measured among the pairs; `moved`: the base differs from itself, so the run is contaminated.
 *
 * @typedef {object} Receipt
 * @property {number} seed
 * @property {string} [baseCommit]
 * @property {string} [headCommit]  Missing: the head was in no commit.
 * @property {{base: string, head: string}} [trees]  Git's hashes of the sides.
 * @property {Environment} environment
 *
 * @typedef {object} Earlier  An earlier gate, compared with the gate that measured its sides again.
 * @property {string} directory
 * @property {Verdict} verdict
 * @property {boolean} agrees  Both have the same verdict, and in every row the two intervals overlap.
 * @property {(CellPlace & Pick<Comparison, 'metric' | 'ratio' | 'low' | 'high' | 'verdict'>)[]} rows  Compared times.
 * @property {{fact: string, before: string, now: string}[]} differences  Facts of the machine that differ.
 */

/**
 * Summaries of runs.
 *
 * @typedef {object} MetricSummary
 * @property {string} unit
 * @property {'lower' | 'higher'} better
 * @property {number} median
 * @property {number} low
 * @property {number} high
 * @property {number} n  Samples: fresh processes.
 * @property {number} coverage Probability that the interval from low to high holds the true value; 0 of a single
 *   sample.
 * @property {boolean} [isShared]  Measured in heats for lack of windows, though meaningful only alone.
 * @property {Ratio} [ratio]  Time as a ratio to that of the table's control.
 * @property {Ratio[]} [others]  Ratios to each other queue of the table, from common heats: more precise than
 *   two ratios to the control.
 *
 * @typedef {CellPlace & {metrics: Record<string, MetricSummary>, warnings: (Warning & {more?: number})[]}} CellSummary
 *   `more`: further warnings of this kind
 *
 * @typedef {CellPlace & {kind: string, reason: string}} SkippedCell
 *
 * @typedef {object} Summary
 * @property {'timerq-summary/1'} format
 * @property {string} run  The results directory.
 * @property {string[]} command
 * @property {string} started
 * @property {string | null} ended
 * @property {number} seconds  Seconds of measuring.
 * @property {Environment} environment
 * @property {Settings} settings
 * @property {End} end
 * @property {Plan['of']} of
 * @property {Omit<PlannedQueue, 'url'>[]} queues
 * @property {Omit<PlannedScenario, 'url' | 'values'>[]} scenarios
 * @property {CellSummary[]} cells
 * @property {Worth | null} [worth]  Answer for a user's program.
 * @property {Ranking} ranking
 * @property {SkippedCell[]} skipped
 * @property {string[]} warnings
 */

export {}
