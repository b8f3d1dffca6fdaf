/** Modules that measured processes run. */
export const PROCESS = new URL('../subject/process.js', import.meta.url)
export const SERVER = new URL('../subject/http/server-process.js', import.meta.url)
