/** Name of a file in the folder of a gate's sides: a benchmark file of a side has its project below that folder. */
export const END_OF_PROJECT = '.timerq-sides'
