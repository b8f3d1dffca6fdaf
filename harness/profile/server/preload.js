/**
 * Loaded into a profiled process with --import. The profiler runs from the start: V8 records which machine code belongs to
 * which line only while it is on, and the hot code is compiled during the warm-up.
 */
import { startRecording } from './recorder.js'

await startRecording()
