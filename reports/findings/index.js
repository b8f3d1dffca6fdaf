/**
 * What the figures say, in sentences: where each queue is cheap and where it is dear, where one overtakes another, and
 * what follows. Every sentence carries its figures. "Cheaper" and "dearer" are said only where the intervals are
 * apart; else, and where there is one sample, the two are called level.
 */
export { conclusion, undecided } from './conclusion.js'
export { crossovers } from './crossovers.js'
export { NEAR, prosAndCons } from './pros-and-cons.js'
