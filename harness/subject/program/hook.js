/**
 * Loaded into every Node process of a user's program before the program itself: gives its sockets other timers, or
 * changes nothing, and answers timerq's requests over an extra socket. The program sees no difference but its port: the
 * system chooses one, on this machine's own address, so that several copies run side by side and no port of the user's
 * is taken.
 *
 * A process that never listens has no connection to timerq. The connection keeps no program alive.
 */
import cluster from 'node:cluster'
import net from 'node:net'
import { isMainThread } from 'node:worker_threads'
import { plugSocketTimers } from '../../../timers/socket-timers.js'
import { LOOPBACK } from '../../model/machine.js'
import { connectLines } from '../../processes/lines.js'
import { TimerService } from '../http/timer-service.js'
import { importModule, loadQueue } from '../modules/load.js'
import { MeasuredProgram } from './measured-program.js'
import { say as note, sayPresent } from './presence.js'
/** @import { Server } from 'node:net' */

/**
 * @typedef {object} HookJob  Input of the hook, from the environment.
 * @property {string} socket  Path of timerq's socket.
 * @property {string | null} queueUrl  null: Node's own timers, untouched.
 * @property {number} connections  Connections of the load.
 * @property {boolean} [countsIdleTimers]
 *
 * @typedef {object} Announced  A server that began to listen.
 * @property {number} number  Counts the servers of its process.
 * @property {number} pid
 * @property {string} version  Node's.
 * @property {'process' | 'cluster' | 'thread'} role  The listener.
 * @property {number | string} asked  The port, or the path of a Unix socket, that the program asked for.
 * @property {number} port
 * @property {boolean} isTls
 * @property {boolean} isHttp2
 */

/** Node's own. */
const BACKLOG = 511

/** @type {Server[]} */
const servers = []
/** @type {TimerService | null} */
let service = null
/**
 * Idle timers that Node's own sockets have started, if these are counted.
 *
 * @type {{idleTimers: number} | undefined}
 */
let started
/** @type {ReturnType<typeof connectLines> | undefined} */
let say

if (process.env.TIMERQ_PROGRAM) await enter(JSON.parse(process.env.TIMERQ_PROGRAM))

/** @param {HookJob} job */
async function enter (job) {
  if (isMainThread) sayPresent()
  redirectServers(job)
  if (job.countsIdleTimers) {
    countIdleTimers()
    notePortsAsked()
  }
  if (job.queueUrl === null || !isMainThread) return
  const { plugSockets } = await importModule(job.queueUrl)
  // Shipped timers are measured as they are imported: they count nothing.
  if (plugSockets) return plugSockets()
  const { Queue } = await loadQueue(job.queueUrl)
  service = new TimerService(new Queue())
  plugSocketTimers(service)
}

function countIdleTimers () {
  const counted = (started = { idleTimers: 0 })
  /** @type {any} */
  const prototype = net.Socket.prototype
  const { setTimeout } = prototype
  prototype.setTimeout = function (/** @type {any[]} */ ...args) {
    if (args[0] > 0) counted.idleTimers++
    return setTimeout.apply(this, args)
  }
}

/** A program may ask itself at its own port, where no server listens now. */
function notePortsAsked () {
  /** @type {any} */
  const prototype = net.Socket.prototype
  const { connect } = prototype
  const asked = new Set()
  prototype.connect = function (/** @type {any[]} */ ...args) {
    // Node's own calls have one argument, a list of all.
    const [target] = [args[0]].flat()
    const port = Number(target?.port ?? target)
    if (port > 0 && !asked.has(port)) note({ portsAsked: [...asked.add(port)] })
    return connect.apply(this, args)
  }
}

/** @param {HookJob} job */
function redirectServers (job) {
  /** @type {any} */
  const prototype = net.Server.prototype
  const { listen } = prototype
  prototype.listen = function (/** @type {any[]} */ ...args) {
    const options = listenOptions(args)
    const asked = options.port ?? options.path
    // Node handles sockets that others have opened, and mistakes.
    const isUsual = typeof asked === 'string' || (Number.isInteger(asked) && asked >= 0 && asked < 65_536)
    if (!isUsual) return listen.apply(this, args)
    this.once('listening', () => announce(this, asked, job))
    const { path, ipv6Only, ...others } = options
    // A load opens all its connections at once; the system makes a connection without a place wait a second or longer.
    const backlog = Math.max(others.backlog || BACKLOG, job.connections)
    return listen.call(
      this,
      { ...others, port: 0, host: LOOPBACK, backlog },
      args.findLast(argument => typeof argument === 'function')
    )
  }
}

/**
 * All forms of arguments of `listen` as its object of options.
 *
 * @param {any[]} args
 */
function listenOptions (args) {
  const [first, ...others] = args
  const isPath = typeof first === 'string' && !/^\s*\d+\s*$/.test(first)
  if (typeof first === 'object' && first !== null) {
    return 'port' in first ? { ...first, port: Number(first.port ?? 0) } : first
  }
  const backlog = others.find(argument => typeof argument === 'number')
  return {
    ...(isPath ? { path: first } : { port: typeof first === 'function' ? 0 : Number(first ?? 0) }),
    ...(backlog !== undefined && { backlog })
  }
}

/**
 * @param {any} server
 * @param {number | string} asked
 * @param {HookJob} job
 */
function announce (server, asked, job) {
  say ??= connect(job.socket)
  const number = servers.push(server) - 1
  const { pid, version } = process
  say({
    announced: {
      number,
      pid,
      version,
      asked,
      port: server.address().port,
      role: isOfCluster() ? 'cluster' : isMainThread ? 'process' : 'thread',
      isTls: typeof server.setSecureContext === 'function',
      isHttp2: /^Http2/.test(server.constructor.name)
    }
  })
}

/** The primary process of a cluster listens for its workers. */
const isOfCluster = () => cluster.isWorker || Object.keys(cluster.workers ?? {}).length > 0

/** @param {string} path */
function connect (path) {
  /** @type {any} */
  let program
  const socket = net.connect(path).unref()
  // Timerq has ended, or has ended the program: a server that left the program's group must not stay.
  socket.on('close', () => process.kill(process.pid, 'SIGKILL'))
  const say = connectLines(socket, async ({ id, type, number }) => {
    // Instead of a signal, where there is none.
    if (type === 'end') return process.emit('SIGTERM', 'SIGTERM') || process.exit()
    try {
      if (type === 'choose') program = new MeasuredProgram(servers[number], service, started)
      say({ id, value: type === 'choose' ? {} : await program[type]() })
    } catch (error) {
      say({ id, error: String(error) })
    }
  })
  return say
}
