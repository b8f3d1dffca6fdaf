#!/usr/bin/env node
/**
 * `node lab/tails.js`: how long do single calls of each queue take? Prints a table of markdown for
 * lab/notebook/pauses.md: median, p99, p99.9 and the longest of starts, cancels and polls, for the scenario
 * `intervals`. The fastest of many repeats of each call counts (harness/subject/micro/call-times.js).
 *
 *     node lab/tails.js --size 10000 --queues incremental-wheel,bounded-wheel,quaternary-heap
 */
import os from 'node:os'
import { parseArgs } from 'node:util'
import { UsageError } from '../harness/model/errors.js'
import { timeCallsByKind } from '../harness/measure/micro/alone.js'
import { choosePins } from '../harness/processes/pinning.js'
import { pickByName } from '../bin/request/catalogue.js'
import { integer, list } from '../bin/request/values.js'
import { queues } from '../queues/index.js'
import { scenarios } from '../scenarios/index.js'

/** @import { Tail } from '../harness/subject/micro/call-times.js' */

/** CPU time after which no repeat begins, and CPU time that a repeat may take. */
const TIMING = { tailMs: 1500, limitMs: 10_000 }
const SEED = 1
const KINDS = /** @type {const} */ (['insert', 'cancel', 'poll'])

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '10000' },
    queues: {
      type: 'string',
      default: queues
        .filter(({ origin }) => origin === 'own')
        .map(({ name }) => name)
        .join(',')
    }
  }
})

try {
  await main()
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  process.stderr.write(`tails: ${error.message}\n`)
  process.exitCode = error.exitCode
}

async function main () {
  const size = integer('--size', values.size, 2)
  const chosen = list('--queues', values.queues).map(name => pickByName('queue', queues, name))
  const scenarioUrl = pickByName('scenario', scenarios, 'intervals').url
  const { subject } = choosePins()
  const runtime = { name: process.version, path: process.execPath, flags: [] }
  /** @type {{name: string, tails: Record<typeof KINDS[number], Tail>}[]} */
  const measured = []
  for (const { name, url } of chosen) {
    process.stderr.write(`${name}\n`)
    const task = { queueUrl: url, scenarioUrl, params: { size }, seed: SEED, timing: TIMING }
    try {
      measured.push({ name, tails: await timeCallsByKind(task, runtime, subject) })
    } catch (error) {
      process.stderr.write(`  left out: ${/** @type {Error} */ (error).message}\n`)
    }
  }
  measured.sort((a, b) => a.tails.poll.p999 - b.tails.poll.p999)
  process.stdout.write(`intervals, ${size} timers, ns; Node ${process.version}, ${os.cpus()[0].model}\n\n`)
  process.stdout.write(tableOf(measured))
}

/**
 * @param {{name: string, tails: Record<typeof KINDS[number], Tail>}[]} rows
 * @returns {string}
 */
function tableOf (rows) {
  const lines = [
    ['queue', ...KINDS.map(kind => `${kind}: p50`).flatMap(title => [title, 'p99', 'p99.9', 'longest'])],
    ['---', ...KINDS.flatMap(() => Array(4).fill('---:'))],
    ...rows.map(({ name, tails }) => [
      name,
      ...KINDS.map(kind => tails[kind]).flatMap(({ p50, p99, p999, longest }) => [p50, p99, p999, longest])
    ])
  ]
  return lines.map(cells => `| ${cells.join(' | ')} |\n`).join('')
}
