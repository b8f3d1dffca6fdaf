/** Plugs all sockets of the process: `node --import timerq-timers/sockets app.js`. */
import { plugSockets } from './plug-sockets.js'

plugSockets()
