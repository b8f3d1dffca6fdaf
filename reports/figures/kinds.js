/** Pictures of a run, a file and a line each, in the order of a report. */
import { cheapest } from './cheapest.js'
import { costs } from './costs.js'
import { ratios } from './ratios.js'

/**
 * @import { Ranking } from '../../harness/judge/rank.js'
 * @import { Figure } from '../charts/kinds.js'
 * @import { Line, Sweep } from '../sweeps.js'
 * @import { MarksOf } from './captions.js'
 */

/**
 * Pictures of a sweep over two parameters or more.
 *
 * @type {((sweep: Sweep, ranking: Ranking, marksOf: MarksOf) => Omit<Figure, 'id'>[])[]}
 */
export const ofSweeps = [cheapest]
/**
 * Pictures of a line: the cells along the longest sweep.
 *
 * @type {((line: Line, marksOf: MarksOf) => Omit<Figure, 'id'>[])[]}
 */
export const ofLines = [ratios, costs]
