/** What the command line and programs call in this folder. */
export { isMeant } from '../judge/expectation.js'
export { readEarlier } from './earlier.js'
export { assertBudget, createGatePlan, gateFiles, usualSeconds } from './gate-plan.js'
export { judgedAgain, readEnded, resumeGate, startGate, UnmeasuredGate } from './gate.js'
export { gateRuntimes } from './gated-runtimes.js'
export { deletedSince, isCommitHere, repositoryRoot, resolveRevision } from './revisions.js'
