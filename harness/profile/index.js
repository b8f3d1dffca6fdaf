/** All of this room that the command line and programs call. */
export { readProgramProfiles } from './program-shares.js'
export { profilePlan, profileRun, PROFILES } from './record-profile.js'
export { filesOf, holdsProfiles, profileFile, readProfiles, recordedSamples } from './recorded.js'
export { loadTools } from './tools.js'
/** Loaded into the program of `timerq profile -- node app.js`. */
export const PROFILER = new URL('./subject/program-hook.js', import.meta.url)
