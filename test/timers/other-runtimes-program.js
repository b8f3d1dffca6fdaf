/** Prints what idle timeouts do, for runtimes other than Node. */
import { IdleTimeouts } from '../../timers/idle-timeouts.js'

/** @type {string[]} */
const expired = []
await new Promise(resolve => {
  /** @type {IdleTimeouts<string>} */
  const idle = new IdleTimeouts({
    timeout: 50,
    resolution: 10,
    ref: true,
    onIdle: item => expired.push(item) && idle.size === 0 && resolve(null)
  })
  idle.add('second', 100)
  idle.touch(idle.add('first'))
  idle.delete(idle.add('deleted'))
})
new IdleTimeouts({ timeout: 1e6, onIdle () {} }).add('keeps no process alive')
console.log(expired.join())
