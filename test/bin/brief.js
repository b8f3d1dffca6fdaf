/** Makes gates and replays of this process as brief as runs for CI: their tests assert nothing of times. */
import { GATE, presets, REPLAY } from '../../bin/presets.js'

const { micro, httpWarmupMs } = presets.ci
Object.assign(GATE, { micro, httpWarmupMs, httpHeat: { seconds: 1, sliceMs: 100 } })
Object.assign(REPLAY, { micro })
