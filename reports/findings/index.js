/**
 * What the figures say, in sentences: where each queue is cheap and where it is not, where one overtakes another, and what
 * follows. Every sentence carries its figures. A queue "costs less" only where the two are clearly apart (apart.js);
 * otherwise they tie.
 */
export { conclusion, undecided } from './conclusion.js'
export { contestsOf } from './contests.js'
export { crossovers } from './crossovers.js'
export { gather } from './gather.js'
export { NEAR, prosAndCons } from './pros-and-cons.js'
export { shortAnswer } from './short-answer.js'
