/** Random lives of every queue: TIMERQ_SOAK_ROUNDS hundreds of them, 200 by default. The fast tests live other ones. */
import { test } from 'node:test'
import { loadQueue } from '../../harness/subject/modules/load.js'
import { queues } from '../../queues/index.js'
import { live } from '../queues/lives.js'

const LIVES = 100 * Number(process.env.TIMERQ_SOAK_ROUNDS ?? 200)

for (const { name, url } of queues.filter(({ origin }) => origin === 'own')) {
  test(`${name}: ${LIVES} lives`, async () => {
    const queue = await loadQueue(url)
    // A fault names its seed.
    for (let life = 0; life < LIVES; life++) live(queue, Math.floor(Math.random() * 2 ** 31))
  })
}
