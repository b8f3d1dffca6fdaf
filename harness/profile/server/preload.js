/**
 * Given to a profiled process with --import. The profiler runs from the start: V8 notes which machine code belongs to
 * which line only while it does, and the hot code is compiled during the warm-up.
 */
import { startRecording } from './recorder.js'

await startRecording()
