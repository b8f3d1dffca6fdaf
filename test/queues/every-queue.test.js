/** Every queue lives the same random lives; a fault is printed with the seed of its life. */
import { test } from 'node:test'
import { loadQueue } from '../../harness/subject/modules/load.js'
import { queues } from '../../queues/index.js'
import { live } from './lives.js'

/** Of some hundred mutants of the queues, each that a life of 200 notices is noticed by the first ten. */
const LIVES = 40
/** These look at all of their slots at nearly every call. */
const FEW_LIVES = { names: ['hashed-wheel', 'hashed-wheel-bounded'], lives: 10 }

for (const { name, url } of queues.filter(({ origin }) => origin === 'own')) {
  test(name, async () => {
    const queue = await loadQueue(url)
    const lives = FEW_LIVES.names.includes(name) ? FEW_LIVES.lives : LIVES
    for (let seed = 0; seed < lives; seed++) live(queue, seed)
  })
}
