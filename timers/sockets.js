/** For `node --import timerq-timers/sockets app.js`: plugs all sockets of the process. */
import { plugSockets } from './plug-sockets.js'

plugSockets()
