/** Programs of users, good and bad, as they are started. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { Program } from '../../../../harness/measure/program/program.js'
import { runtime } from '../entrants.js'
import { temporaryFolder } from '../../temporary-folder.js'

const HTTP = "const { createServer } = require('node:http'); const answer = (request, response) => response.end('x');"

export const PROGRAMS = {
  good: `${HTTP} createServer(answer).listen(3000)`,
  asks: `${HTTP} createServer(answer).listen({ port: process.env.PORT ?? '8080', host: '::' })`,
  any: `${HTTP} createServer(answer).listen()`,
  picky: `${HTTP} createServer((request, response) => { response.statusCode = request.url === '/users' ? 200 : 404; response.end() }).listen(3000)`,
  /** Two ports that take no load, and one that does, later. */
  several: `${HTTP} require('node:net').createServer(socket => socket.end('bye')).listen(9000)
    createServer((request, response) => response.writeHead(404).end()).listen(9090)
    setTimeout(() => createServer(answer).listen(3000), 200)`,
  /** Starts a private server first, then the one for its users. */
  gateway: `${HTTP} createServer(answer).listen(0, () => setTimeout(() => createServer(answer).listen(3000), 100))`,
  /** Says at the end of a socket's timeout whether Node's own timer has kept it. */
  idle: `${HTTP} createServer((request, response) => {
      if (request.url !== '/idle') return answer(request, response)
      const { socket } = request
      response.setTimeout(1000, () => response.end(isNodes ? 'kept by Node' : 'kept elsewhere'))
      const isNodes = Object.getOwnPropertySymbols(socket).some(key => socket[key]?.constructor?.name === 'Timeout')
    }).listen(3000)`,
  timeless: `${HTTP} createServer({ keepAliveTimeout: 0 }, answer).listen(3000)`,
  starting: `${HTTP} const start = Date.now(); createServer((request, response) => { response.statusCode = Date.now() - start < 100 ? 503 : 200; response.end() }).listen(3000)`,
  raw: "require('node:net').createServer(socket => socket.on('error', () => " +
    '{}).setTimeout(60_000).pipe(socket)).listen(7000)',
  http2: "require('node:http2').createServer((request, response) => response.end()).listen(3000)",
  unix: `${HTTP} createServer(answer).listen(require('node:path').join(__dirname, 'app.sock'))`,
  cluster: `${HTTP} const cluster = require('node:cluster'); if (cluster.isPrimary) cluster.fork(); else createServer(answer).listen(3000)`,
  thread: `${HTTP} const { isMainThread, Worker } = require('node:worker_threads'); if (isMainThread) new Worker(__filename); else createServer(answer).listen(3000)`,
  crash: "console.log('begin'); require('./no-such-module')",
  end: "console.log('done')",
  tidy: `${HTTP} createServer(answer).listen(3000)
    process.on('SIGTERM', () => process.exit(require('node:fs').writeFileSync('tidied', '')))`,
  silent: 'setInterval(() => {}, 1000)',
  /** One copy at a time: by a UDP port, and by a lock for which the second copy waits. */
  udp: `${HTTP} require('node:dgram').createSocket('udp4').bind(39555); createServer(answer).listen(3000)`,
  locked: `${HTTP} const fs = require('node:fs'); const start = () => {
      try { fs.mkdirSync('lock') } catch { return setTimeout(start, 100) }
      createServer(answer).listen(3000)
    }
    start()`,
  absent:
    "require('node:child_process').spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)'], { env: {} })",
  /** Writes to timerq's own socket what its environment asks for. */
  forging: `require('node:net').connect(JSON.parse(process.env.TIMERQ_PROGRAM).socket).write(process.argv[2] + '\\n')
    setInterval(() => {}, 1000)`,
  /** Starts its server in a group of its own, and ends. */
  background: `${HTTP} const { spawn } = require('node:child_process')
    const { TIMERQ_PRESENT, ...env } = process.env
    if (process.argv[2] === 'server') createServer(answer).listen(3000, () => process.send(process.pid))
    else {
      const stdio = ['ignore', 'ignore', 'ignore', 'ipc']
      const child = spawn(process.execPath, [__filename, 'server'], { env: process.argv[2] ? env : process.env, detached: true, stdio })
      child.once('message', pid => {
        require('node:fs').writeFileSync('pid', String(pid))
        child.disconnect()
        child.unref()
      })
    }`,
  /** Ends when its input does, before it would listen. */
  reading: `${HTTP} process.stdin.on('end', () => process.exit(0)).resume()
    setTimeout(() => createServer(answer).listen(3000), 100)`,
  /** Asks itself for a part of each page. */
  asking: `${HTTP} createServer((request, response) =>
      fetch('http://127.0.0.1:3000/part').then(() => answer(request, response), () => response.writeHead(502).end())
    ).listen(3000)`,
  killed: "process.kill(process.pid, 'SIGKILL')",
  /** Ends when its server closes, unless something of timerq's keeps it alive; says what it sees. */
  watching: `${HTTP} const seen = ['message', 'SIGTERM', 'uncaughtException'].map(name => process.listenerCount(name))
    const server = createServer((request, response) => {
      response.shouldKeepAlive = false
      response.end(JSON.stringify({ seen, argv: process.argv.slice(2), cwd: process.cwd(), channel: process.channel === undefined }))
      if (request.url === '/end') server.close()
    })
    server.listen(3000)`
}

/**
 * @param {import('node:test').TestContext} t
 * @param {keyof typeof PROGRAMS} name
 * @param {{queueUrl?: string, port?: number, path?: string, load?: object, startSeconds?: number, args?:
 *   string[], countsIdleTimers?: boolean, isAsked?: boolean}} [options]
 */
export function programOf (
  t,
  name,
  { queueUrl, port, path: url = '/', load = {}, startSeconds = 30, args = [], countsIdleTimers, isAsked } = {}
) {
  const cwd = temporaryFolder(t)
  writeFileSync(path.join(cwd, 'server.js'), PROGRAMS[name])
  const command = [process.execPath, 'server.js', ...args]
  const job = /** @type {any} */ ({
    queueUrl: queueUrl ?? null,
    load,
    countsIdleTimers,
    params: { connections: 10 },
    program: { command, cwd, path: url, startSeconds, ...(port && { port }) }
  })
  const program = new Program(job, { runtime, isAsked })
  t.after(() => program.end())
  return {
    name,
    program,
    cwd,
    job,
    listen: () => program.ask({ type: 'listen' }, 0),
    ask: (/** @type {string} */ type) => program.ask({ type }, 20_000)
  }
}
