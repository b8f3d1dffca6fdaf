/** `timerq completion`: prints the script that completes command lines in a shell. */
import { complete } from '../request/request.js'

/** @import { Console } from '../console.js' */
/** @import { Request } from '../request/request.js' */

/** @type {(request: Request, console: Console) => Promise<number>} */
export async function handler ({ command }, console) {
  console.print(complete([command.name]))
  return 0
}
