import { readFileSync } from 'node:fs'

/** @import { Console } from '../console.js' */

/**
 * @param {{shell: 'bash' | 'zsh' | 'fish'}} request
 * @param {Console} console
 */
export async function handler ({ shell }, console) {
  console.print(readFileSync(new URL(`../templates/completion.${shell}`, import.meta.url), 'utf8'))
  return 0
}
