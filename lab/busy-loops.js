/** Busy loops: other programs that keep every core busy during a measurement. */
import { spawn } from 'node:child_process'

/** Ends with its parent. */
const LOOP = `
process.once('disconnect', () => process.exit())
function spin () { for (let i = 0; i < 1e7; i++); setImmediate(spin) }
spin()`

/**
 * @param {string[][]} cores  Command prefixes, one a core.
 * @returns {() => void} stops them
 */
export function startBusyLoops (cores) {
  const loops = cores.map(pin => {
    const [command, ...args] = [...pin, process.execPath, '-e', LOOP]
    return spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  })
  return () => loops.forEach(loop => loop.kill('SIGKILL'))
}
