/**
 * Requests to files-async and files-cluster, and the files that must remain. GET reads a file, splits, sorts and joins
 * the content, and answers with the result. POST appends a record.
 */
import { loadParameters } from '../load-parameters.js'

/** @import { Aftermath, PlannedRequest } from '../contract.js' */

/** Ends every record. */
const RECORD_END = '\n'
/** `split` takes its first characters: 0 split at every character, 1 at the end of records, 2 occur in no file. */
const SPLIT_STRING = `${RECORD_END}#`
const RECORD_LENGTH = 64

const { connections, seconds } = loadParameters

export const parameters = {
  connections,
  seconds,
  files: { title: 'files, read and written in turn', minimum: 1 },
  records: { title: `records of ${RECORD_LENGTH} bytes in each file at the start`, minimum: 0 },
  readsPerWrite: { title: 'GETs for each POST', minimum: 0 },
  split: { title: 'length of the split string: 0 splits at every character, 1 at every record, 2 nowhere', minimum: 0 }
}

/** Clients as in the source, and about its 140 000 reads to 60 000 writes. More files, so that files hardly grow. */
export const presets = {
  quick: { connections: [8], seconds: [1], files: [64], records: [500], readsPerWrite: [2], split: [1] },
  documented: { connections: [32], seconds: [30], files: [1000], records: [500], readsPerWrite: [2], split: [1] },
  ci: { connections: [4], seconds: [1], files: [4], records: [50], readsPerWrite: [2], split: [1] }
}

/** @param {Record<string, number>} params */
export function files ({ files, records }) {
  const content = Array.from({ length: records }, (_, index) => recordOf(index)).join('')
  return Object.fromEntries(Array.from({ length: files }, (_, file) => [String(file), content]))
}

/**
 * @param {Record<string, number>} params
 * @returns {PlannedRequest[]}
 */
export function requests ({ files, readsPerWrite }) {
  return Array.from({ length: files }, (_, file) => {
    const read = (/** @type {number} */ number) => ({ method: 'GET', path: `/${number % files}` })
    const reads = Array.from({ length: readsPerWrite }, (_, number) => read(file * readsPerWrite + number))
    return [...reads, { method: 'POST', path: `/${file}`, body: recordFor(file) }]
  }).flat()
}

/**
 * @param {string} content
 * @param {number} split
 */
export function sortContent (content, split) {
  const separator = SPLIT_STRING.slice(0, split)
  return content.split(separator).sort().join(separator)
}

/**
 * @param {any} request
 * @param {string} directory
 */
export function fileOf (request, directory) {
  return `${directory}/${Number.parseInt(request.url.slice(1), 10)}`
}

/**
 * @param {any} request
 * @param {(body: string) => void} use
 */
export function withBody (request, use) {
  let body = ''
  request.setEncoding('utf8')
  request.on('data', (/** @type {string} */ text) => {
    body += text
  })
  request.on('end', () => use(body))
}

/**
 * Every answered append must be there, complete. An append that was unanswered when the load ended may be there.
 *
 * @param {Aftermath} aftermath
 * @param {Record<string, number>} params
 */
export function findFault ({ read, received, answered }, { files: count, records }) {
  const start = files({ files: 1, records })[0]
  let appended = 0
  for (let file = 0; file < count; file++) {
    const content = read(String(file))
    const added = Math.floor((content.length - start.length) / RECORD_LENGTH)
    if (content !== start + recordFor(file).repeat(Math.max(0, added))) {
      return `file ${file} holds records that were never sent`
    }
    appended += added
  }
  const { POST: least = 0 } = answered
  const { POST: most = 0 } = received
  if (appended < least) return `${least - appended} of ${least} appends that were answered are lost`
  return appended > most ? `${appended} records were appended by ${most} requests` : null
}

/**
 * Record that is appended to a file, different for each file.
 *
 * @param {number} file
 */
const recordFor = file => recordOf(-1 - file)

/**
 * A record made of a multiplicative hash of its number, so that records are in no order.
 *
 * @param {number} number
 */
function recordOf (number) {
  const hash = (Math.imul(number, 0x9e3779b1) >>> 0).toString(36).padStart(7, '0')
  return hash.repeat(Math.ceil(RECORD_LENGTH / hash.length)).slice(0, RECORD_LENGTH - RECORD_END.length) + RECORD_END
}
