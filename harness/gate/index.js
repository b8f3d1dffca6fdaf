/**
 * What the command line and programs call in this folder. A row is a queue or a task on one scenario, which has two
 * sides, base and head. A heat measures all sides of a row at the same time, and a look judges the heats so far.
 */
export { agreementOf, haveSameSides } from './agreement.js'
export { runsTheSame } from './differences.js'
export { assertBudget, createGatePlan, gateFiles } from './gate-plan.js'
export { judgedAgain, startGate, UnmeasuredGate } from './gate.js'
export { gateRuntimes } from './gated-runtimes.js'
export { deletedSince, isCommitHere, repositoryRoot, resolveBase } from './revisions.js'
