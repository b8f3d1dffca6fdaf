import { createTimers } from './create-timers.js'

export { createTimers }
export const { setTimeout, clearTimeout, setInterval, clearInterval, promises } = createTimers()
