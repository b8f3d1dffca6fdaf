/** Basic blocks of the longest advance: the work of the longest pause of a program. */
import { isAmount } from '../../processes/shapes.js'
import { countWith, WORK_FLAGS } from '../micro/count.js'

const COUNTER = new URL('../../subject/count/longest-advance.js', import.meta.url)

export const take = countWith(COUNTER, 'countLongestAdvance', {
  flags: WORK_FLAGS,
  shape: { longestAdvanceWork: isAmount }
})
