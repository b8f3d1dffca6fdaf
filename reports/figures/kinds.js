/** Pictures of a run, a file and a line each, in the order of a report. */
import { cheapest } from './cheapest.js'
import { costs } from './costs.js'
import { ratios } from './ratios.js'

/** Pictures of a sweep over two parameters or more. */
export const ofSweeps = [cheapest]
/** Pictures of a line: the cells along the longest sweep. */
export const ofLines = [ratios, costs]
