/** Basic blocks of the longest advance, in scenarios about pauses. */
import { isAmount } from '../../processes/shapes.js'
import { countWith, WORK_FLAGS } from '../micro/count.js'
/** @import { Take } from '../instruments.js' */

const COUNTER = new URL('../../subject/count/longest-advance.js', import.meta.url)
const count = countWith(COUNTER, 'countLongestAdvance', {
  flags: WORK_FLAGS,
  shape: { longestAdvanceWork: isAmount }
})

/** @type {Take} */
export const take = async (job, options) => (job.scenario.countsLongestAdvance ? count(job, options) : null)
