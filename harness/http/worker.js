/** One worker of a cluster. What is sent to it before it listens to messages is lost, so it says when it does. */
import './server.js'

process.send?.({ ready: true })
