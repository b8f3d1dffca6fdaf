/** One worker of a cluster. Messages sent before it listens are lost, so it says when it is ready. */
import './server.js'

process.send?.({ ready: true })
