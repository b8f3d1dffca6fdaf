/** Idle timeouts of sockets: started and stopped by setTimeout(), or restarted as they are by each byte. */
'use strict'

const common = require('../common.js')
const { Socket } = require('net')

const bench = common.createBenchmark(main, {
  n: [1e6],
  sockets: [100],
  type: ['set', 'clear-and-set', 'restart']
})

const IDLE_MS = 60_000

function main ({ n, sockets: count, type }) {
  const sockets = Array.from({ length: count }, () => new Socket().setTimeout(IDLE_MS))
  const step = STEPS[type]
  bench.start()
  for (let i = 0; i < n; i++) step(sockets[i % count])
  bench.end(n)
  for (const socket of sockets) socket.destroy()
}

const STEPS = {
  set: socket => socket.setTimeout(IDLE_MS),
  'clear-and-set': socket => socket.setTimeout(0).setTimeout(IDLE_MS),
  // Called by net for each read and write.
  restart: socket => socket._unrefTimer()
}
