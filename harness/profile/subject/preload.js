/**
 * Loaded into a profiled process with --import. The profiler runs from the start: V8 records which machine code belongs
 * to which line only while it is on, and the hot code is compiled during the warm-up.
 */
import './line-numbers.js'

// Modules are numbered from here on. A static import would be loaded before, with the numbers of its own lines: ticks
// of its inlined functions, such as the function of known cost, would be charged to their callers.
const { startRecording } = await import('./recorder.js')

await startRecording()
