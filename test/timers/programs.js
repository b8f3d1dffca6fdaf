/**
 * Runs programs of timer calls on Node's timers and on those of timers/, in this process, and prints programs whose
 * events came in another order. Reads the programs as JSON from standard input.
 *
 * No order depends on the speed of the machine. All timers of a program start in one millisecond, and are due when it
 * has blocked the event loop. Callbacks start and refresh timers of 1 ms only, so these fire in the order of their
 * starts.
 */
import { text } from 'node:stream/consumers'
import { createTimers } from '../../timers/create-timers.js'

/**
 * @typedef {{op: 'start' | 'interval' | 'clear' | 'refresh' | 'tick' | 'promise' | 'throw', nth: number, delay: number, then: Step[]}}
 *   Step
 */
/** @typedef {ReturnType<typeof createTimers> | typeof globalThis} Api */

const LONGEST_MS = 8
const MOST_TRIALS = 100
const QUIET_MS = 20
const MOST_FIRINGS = 3
/** Node's timers count these: two clocks whose milliseconds begin at other times would order timers differently. */
const milliseconds = () => Number(process.hrtime.bigint() / 1_000_000n)

/** @type {Step[][]} */
const programs = JSON.parse(await text(process.stdin))
const ours = createTimers({ now: milliseconds })
for (const program of programs) {
  const native = await run(program, globalThis)
  const replaced = await run(program, ours)
  if (native.join() !== replaced.join()) process.stdout.write(`${JSON.stringify({ program, native, replaced })}\n`)
}

/** @type {(program: Step[], api: Api) => Promise<string[]>} */
async function run (program, api) {
  for (let trial = 0; trial < MOST_TRIALS; trial++) {
    /** @type {string[]} */
    const log = []
    const onError = (/** @type {Error} */ error) => log.push(`uncaught ${error.message}`)
    process.on('uncaughtException', onError)
    // Begins in a check phase, right at the beginning of a millisecond.
    await new Promise(setImmediate)
    for (const start = milliseconds(); milliseconds() === start;);
    const began = milliseconds()
    const state = { api, log, timers: /** @type {any[]} */ ([]) }
    for (const step of program) perform(step, state, false)
    const inTime = milliseconds() === began
    for (const end = performance.now() + 2 * LONGEST_MS; performance.now() < end;);
    for (let events = -1; events !== log.length;) {
      events = log.length
      await new Promise(resolve => setTimeout(resolve, QUIET_MS))
    }
    process.off('uncaughtException', onError)
    if (inTime) return log
  }
  throw new Error(`no program started within a millisecond in ${MOST_TRIALS} trials`)
}

/** @type {(step: Step, state: {api: any, log: string[], timers: any[]}, nested: boolean) => void} */
function perform ({ op, nth, delay, then }, state, nested) {
  const { api, log, timers } = state
  const name = `${timers.length}`
  const chosen = timers[nth % timers.length]
  let fired = 0
  const fire = () => {
    log.push(name)
    // A timer that refreshes itself would never end.
    if (++fired > MOST_FIRINGS) return
    // Each time that an interval fires again, a clock decides what comes before it.
    if (op === 'interval') api.clearInterval(timer)
    for (const step of then) perform(step, state, true)
  }
  let timer
  if (op === 'start') timers.push((timer = api.setTimeout(fire, nested ? 1 : delay)))
  else if (op === 'interval') timers.push((timer = api.setInterval(fire, nested ? 1 : delay)))
  else if (op === 'clear') api.clearTimeout(chosen)
  else if (op === 'refresh' && chosen?._idleTimeout === 1) chosen.refresh()
  else if (op === 'tick') process.nextTick(() => log.push(`tick ${nth}`))
  else if (op === 'promise') Promise.resolve().then(() => log.push(`promise ${nth}`))
  else if (op === 'throw' && nested) throw new Error(`${nth}`)
}
