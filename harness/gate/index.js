/** What the command line and programs call in this folder. */
export { agreementOf, haveSameSides } from './agreement.js'
export { runsTheSame } from './differences.js'
export { assertBudget, createGatePlan, gateFiles } from './gate-plan.js'
export { judgedAgain, startGate, UnmeasuredGate } from './gate.js'
export { gateRuntimes } from './gated-runtimes.js'
export { deletedSince, isCommitHere, repositoryRoot, resolveBase } from './revisions.js'
