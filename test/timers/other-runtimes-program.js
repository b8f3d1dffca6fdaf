/** Prints what idle timeouts and timers do, for runtimes other than Node. */
import { IdleTimeouts } from '../../timers/idle-timeouts.js'
import { createTimers } from '../../timers/create-timers.js'

const { setTimeout, setInterval, clearTimeout, promises } = createTimers()
/** @type {string[]} */
const log = []
/** @param {string} text */
const note = text => log.push(text)

await new Promise(resolve => {
  /** @type {IdleTimeouts<string>} */
  const idle = new IdleTimeouts({
    timeout: 50,
    resolution: 10,
    ref: true,
    onIdle: item => note(item) && idle.size === 0 && resolve(null)
  })
  idle.add('idle 2', 100)
  idle.touch(idle.add('idle 1'))
  idle.delete(idle.add('deleted'))
})
for (const name of ['a', 'b']) {
  setTimeout(() => {
    note(name)
    process.nextTick(note, `tick ${name}`)
    Promise.resolve(`promise ${name}`).then(note)
  }, 5)
}
setTimeout(() => note('unref'), 1e6).unref()
clearTimeout(`${setTimeout(note, 1, 'cleared')}`)
let turns = 0
const interval = setInterval(() => ++turns === 3 && interval.close(), 1)
note(await promises.setTimeout(100, 'value'))
note(`${turns} turns`)
note(await promises.setTimeout(100, '', { signal: AbortSignal.abort() }).catch(error => error.name))
console.log(log.join())
