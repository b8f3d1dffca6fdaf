/** Runs a user's program with one of timerq's modules loaded first, as if the user had started it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import os from 'node:os'
import { UsageError } from '../model/errors.js'

/** A shell adds this to the number of the signal that ended a program. */
const SIGNALLED = 128

/**
 * Environment that loads the hook into every Node process.
 *
 * @type {(hook: URL, env: Record<string, string>) => NodeJS.ProcessEnv}
 */
export function hookedEnvironment (hook, env) {
  const options = [process.env.NODE_OPTIONS, `--import ${hook.href}`].filter(Boolean).join(' ')
  return { ...process.env, NODE_OPTIONS: options, ...env }
}

/**
 * Loads the hook into every Node process that the program starts. Returns the program's own exit code.
 *
 * @type {(command: string[], options: {hook: URL, env: Record<string, string>, onStart: () => void}) => Promise<number>}
 * @throws {UsageError} when it cannot be started
 */
export async function runHooked ([program, ...args], { hook, env, onStart }) {
  const child = spawn(program, args, { stdio: 'inherit', env: hookedEnvironment(hook, env) })
  child.once('spawn', onStart)
  // Ctrl-C also reaches the program, which ends in its own way.
  const ignore = () => {}
  const forward = () => child.kill('SIGTERM')
  process.on('SIGINT', ignore).on('SIGTERM', forward)
  try {
    const [code, signal] = await once(child, 'close').catch(error => {
      throw new UsageError(`${program} cannot be started: ${error.message}`)
    })
    return signal ? SIGNALLED + os.constants.signals[/** @type {NodeJS.Signals} */ (signal)] : code
  } finally {
    process.off('SIGINT', ignore).off('SIGTERM', forward)
  }
}
