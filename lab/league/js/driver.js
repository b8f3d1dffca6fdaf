/**
 * Replays a stream of timer operations (lab/notebook/league.md) through one queue, on Node.
 *
 *     driver.js STREAM QUEUE     answers the lines that lab/notebook/league.md describes
 *
 * The queue is a file with the contract of queues/contract.js. `process` is not imported: that would open stdin, and
 * reading would no longer wait.
 */
import { readFileSync, readSync, writeSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

const RESTART = 1
const CANCEL = 2
const PASS = 3
const MAGIC = 'TQS1'
const HEADER_BYTES = 24
const RECORD_WORDS = 2
const RECORD_BYTES = 8

const [streamPath, queuePath] = process.argv.slice(2)
const bytes = readFileSync(streamPath)
if (bytes.toString('latin1', 0, MAGIC.length) !== MAGIC) throw new Error(`${streamPath} is not a stream`)
const [timers, setupRecords, blocks, blockRecords] = [4, 8, 12, 16].map(offset => bytes.readInt32LE(offset))
const records = setupRecords + blocks * blockRecords
if (bytes.length !== HEADER_BYTES + records * RECORD_BYTES) throw new Error(`${streamPath} is cut off`)
// Behind the stream, room for one record more.
const words = new Int32Array((records + 1) * RECORD_WORDS)
bytes.copy(new Uint8Array(words.buffer), 0, HEADER_BYTES)

const module = await import(pathToFileURL(queuePath).href)
const Queue = module.default ?? Object.values(module).find(value => value.prototype?.advance)
const queue = new Queue()
const handles = Array.from({ length: timers }, (_, timer) => queue.createTimer(timer))

// The trace of expiries so far.
let fired = 0
let checksum = 0
let now = 0

/** @param {any} timer */
function expire (timer) {
  fired++
  // A sum does not depend on the order within one millisecond, which queues may choose.
  checksum = (checksum + Math.imul(queue.payloadOf(timer) ^ Math.imul(now, 0x9e3779b1), 0x85ebca6b)) | 0
}

/**
 * @param {number} from  Record.
 * @param {number} to  Record.
 */
function replay (from, to) {
  for (let i = from * RECORD_WORDS; i < to * RECORD_WORDS; i += RECORD_WORDS) {
    const timer = words[i] >> 2
    const ms = words[i + 1]
    switch (words[i] & 3) {
      case RESTART:
        queue.reschedule(handles[timer], now + ms, ms)
        break
      case CANCEL:
        queue.cancel(handles[timer])
        break
      case PASS:
        for (let passed = 0; passed < ms; passed++) queue.advance(++now, expire)
        break
      default:
        queue.insert(handles[timer], now + ms, ms)
    }
  }
}

let block = 0

/** @param {number} count */
function playBlocks (count) {
  for (let i = 0; i < count; i++) {
    const first = setupRecords + block * blockRecords
    replay(first, first + blockRecords)
    block = (block + 1) % blocks
  }
}

/** Nanoseconds of CPU time, of all threads. */
function cpuNs () {
  const { user, system } = process.cpuUsage()
  return (user + system) * 1000
}

/**
 * @param {number} lead  Blocks before the clock starts.
 * @param {number} measured  Blocks.
 */
function turn (lead, measured) {
  playBlocks(lead)
  const begun = cpuNs()
  playBlocks(measured)
  return String(cpuNs() - begun)
}

/** @param {number} ms */
function drain (ms) {
  words.set([PASS, ms], records * RECORD_WORDS)
  replay(records, records + 1)
  return `${fired} ${checksum >>> 0}`
}

const input = Buffer.alloc(4096)
let unread = ''

/** Waits without the event loop: timers of the runtime's own never fire. */
function readLine () {
  while (!unread.includes('\n')) {
    const read = readSync(0, input, 0, input.length, null)
    if (read === 0) return null
    unread += input.toString('latin1', 0, read)
  }
  const end = unread.indexOf('\n')
  const line = unread.slice(0, end)
  unread = unread.slice(end + 1)
  return line
}

replay(0, setupRecords)
writeSync(1, 'ready\n')
for (let line = readLine(); line !== null; line = readLine()) {
  const [request, ...numbers] = line.split(' ')
  if (request !== 'turn' && request !== 'drain') throw new Error(`${line}: expected turn or drain`)
  const [first, second] = numbers.map(Number)
  writeSync(1, `${request === 'turn' ? turn(first, second) : drain(first)}\n`)
}
// Timers of the runtime's own may be pending.
process.exit()
