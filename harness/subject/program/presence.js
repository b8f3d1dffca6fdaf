/** Says in the file TIMERQ_PRESENT that this process has a hook, and whether it came to its end: see hooked.js. */
import { appendFileSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'

const { TIMERQ_PRESENT: file, TIMERQ_FAREWELL: farewell } = process.env
/** Signals after which programs end, even if they listen to them. */
const ENDS = ['SIGINT', 'SIGTERM']
/** Signals that end a program unless it listens to them. */
const MAY_END = ['SIGHUP', 'SIGQUIT', 'SIGUSR2', 'SIGALRM']
/** Exit code of a process that must not have the hook. */
const REFUSED = 4

/** @param {object} said */
export function say (said) {
  try {
    if (file) appendFileSync(file, JSON.stringify({ pid: process.pid, ...said }) + '\n')
  } catch {
    // A full disk must not cost the program.
  }
}

/** Says that the hook is there. */
export const sayPresent = () => say({ name: path.basename(process.argv[1] ?? process.argv0) })

/**
 * Says that the hook is there until the program ends, by itself or by a signal, and then runs a function.
 *
 * @param {() => void} write  May be called more than once.
 */
export function stayToTheEnd (write) {
  sayPresent()
  let workers = 0
  process.on('worker', () => say({ workers: ++workers }))
  const end = () => {
    write()
    say({ hasEnded: true })
  }
  process.once('exit', end)
  for (const signal of [...ENDS, ...MAY_END]) listen(signal, { write, end })
  if (!farewell) return
  // Instead of a signal: see processes/farewell.js.
  net.connect(farewell).unref().on('error', () => {}).on('data', () => process.emit('SIGTERM', 'SIGTERM'))
}

/**
 * @param {string} signal
 * @param {{write: () => void, end: () => void}} calls
 */
function listen (signal, { write, end }) {
  const heard = () => {
    const isAlone = process.listenerCount(signal) === 1
    if (isAlone) {
      // Without another listener, the signal would have ended the program. A second one, as from node --watch, must not
      // end it before all is written.
      end()
      process.off(signal, heard)
      process.kill(process.pid, signal)
    } else {
      // A listener that finds no other may end the program by the same signal.
      process.off(signal, heard)
      if (ENDS.includes(signal)) write()
      setImmediate(listen, signal, { write, end }).unref()
    }
  }
  process.on(signal, heard)
}

/**
 * Ends a program that Node's permission model keeps from having the hook.
 *
 * @param {boolean} isPermitted
 * @param {string} remedy
 */
export function assertPermitted (isPermitted, remedy) {
  if (isPermitted) return
  process.stderr.write(`timerq: Node's permission model forbids what it needs: ${remedy}\n`)
  process.exit(REFUSED)
}
