/** `timerq completion`: prints the script that completes command lines in a shell. */
import { readFileSync } from 'node:fs'

/** @import { Console } from '../console.js' */

/** @type {(request: {shell: 'bash' | 'zsh' | 'fish'}, console: Console) => Promise<number>} */
export async function handler ({ shell }, console) {
  console.print(readFileSync(new URL(`../templates/completion.${shell}`, import.meta.url), 'utf8'))
  return 0
}
