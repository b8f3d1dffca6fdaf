/**
 * Prints the work of a queue in every variant, for the same operations.
 *
 *     node [flags] count-variants.js FOLDER QUEUE
 */
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { loadQueue } from '../../harness/subject/modules/load.js'
import { createRandom } from '../../harness/model/random.js'
import { startWorkCounter } from '../../harness/subject/count/work-counter.js'
import { variantName, VARIANTS } from './neutral-edits.js'

const TIMERS = 50
const OPERATIONS = 5000
const LONGEST = 1000

const [folder, queue] = process.argv.slice(2)
const counter = startWorkCounter()
const works = []
for (const variant of VARIANTS.keys()) {
  const { Queue } = await loadQueue(pathToFileURL(path.join(folder, variantName(variant), `${queue}.js`)).href)
  // The counter learns the blocks the first time.
  operate(new Queue())
  counter.count()
  operate(new Queue())
  works.push(counter.count())
}
process.stdout.write(JSON.stringify(works))

/** @param {import('../../queues/contract.js').TimerQueue} queue */
function operate (queue) {
  const random = createRandom(1)
  const timers = Array.from({ length: TIMERS }, (_, i) => queue.createTimer(i))
  for (let now = 0; now < OPERATIONS; now++) {
    const timer = timers[random(TIMERS)]
    const duration = random(LONGEST)
    if (!queue.isPending(timer)) queue.insert(timer, now + duration, duration)
    else if (random(2) === 0) queue.cancel(timer)
    else queue.reschedule(timer, now + duration, duration)
    if (queue.nextExpiry() <= now) queue.advance(now, () => {})
  }
}
