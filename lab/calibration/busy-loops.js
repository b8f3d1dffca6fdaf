/** Busy loops: other programs that keep every core busy during a measurement. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const BUSY_LOOP = fileURLToPath(new URL('./busy-loop.js', import.meta.url))

/**
 * @param {string[][]} cores  Command prefixes, one a core.
 * @returns {() => void} stops them
 */
export function startBusyLoops (cores) {
  const loops = cores.map(pin => {
    const [command, ...args] = [...pin, process.execPath, BUSY_LOOP]
    return spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  })
  return () => loops.forEach(loop => loop.kill('SIGKILL'))
}
