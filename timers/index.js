/** The package timerq-timers: idle timeouts, and idle timeouts under sockets. */
export { IdleTimeouts } from './idle-timeouts.js'
export { plugSockets } from './plug-sockets.js'
/** @typedef {import('./idle-timeouts.js').IdleHandle} IdleHandle */
