/** Load generators of users, and servers that are loaded from elsewhere. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { loadWithCommand } from '../../harness/measure/load/load-command.js'
import { readResults } from '../../harness/store/results.js'
import { timerq, timerqHere, untilThereIsTime, words } from '../bin/timerq.js'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { needs, skipUnless } from '../needs.js'

/** Output of wrk 4.1. */
const OUTPUT = `Running 1s test @ http://10.0.0.1:80/
  2 threads and 20 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency   480.20us  301.00us   12.05ms   92.51%
    Req/Sec    20.73k     1.04k   22.26k    80.00%
  Latency Distribution
     50%  410.00us
     75%  520.00us
     90%  735.00us
     99%    1.52ms
  41252 requests in 1.10s, 4.17MB read
  Socket errors: connect 1, read 2, write 3, timeout 4
  Non-2xx or 3xx responses: 5
Requests/sec:  37501.10
Transfer/sec:      3.79MB
`
const load = { url: 'http://10.0.0.1:80/', connections: 20, threads: 40, seconds: 1, pin: [] }

/**
 * A load generator that prints its arguments on stderr and a text on stdout.
 *
 * @param {import('node:test').TestContext} t
 * @param {string} output
 */
function program (t, output) {
  const file = path.join(temporaryFolder(t), 'load.js')
  writeFileSync(
    file,
    `require('fs').writeFileSync(${JSON.stringify(`${file}.args`)}, JSON.stringify(process.argv.slice(2))); process.stdout.write(${JSON.stringify(output)})`
  )
  return {
    command: [process.execPath, file],
    args: () => JSON.parse(readFileSync(`${file}.args`, 'utf8'))
  }
}

test('what wrk prints for people is read: requests, time, errors by kind, latencies with their units', async t => {
  const { command, args } = program(t, OUTPUT)
  const { requests, seconds, errors, latencyMs } = await loadWithCommand([
    ...command,
    '-t{threads}',
    '-c{connections}',
    '-d{seconds}s',
    '{url}x y;$(touch z)'
  ])(load)
  assert.deepEqual(
    { requests, seconds, errors },
    { requests: 41252, seconds: 1.1, errors: { connect: 1, read: 2, write: 3, timeout: 4, status: 5 } }
  )
  assert.deepEqual([latencyMs.p50, latencyMs.p90, latencyMs.p99, latencyMs.max], [0.41, 0.735, 1.52, 12.05])
  // No shell sees the command, and wrk needs a connection for each thread.
  assert.deepEqual(args(), ['-t20', '-c20', '-d1s', 'http://10.0.0.1:80/x y;$(touch z)'])
})

test('without --latency there are figures without percentiles', async t => {
  const { command } = program(t, OUTPUT.replace(/ {2}Latency Distribution\n(.*%.*\n){4}/, ''))
  const { requests, latencyMs } = await loadWithCommand(command)(load)
  assert.deepEqual([requests, latencyMs], [41252, { max: 12.05 }])
})

test('a command that prints something else, or nothing, costs the sample', async t => {
  for (const output of ['Permission denied (publickey).\n', '']) {
    await assert.rejects(
      loadWithCommand(program(t, output).command)(load),
      /--load-command printed no figures as wrk prints them/
    )
  }
  await assert.rejects(loadWithCommand(['/there/is/no/such/program'])(load), /--load-command .*ENOENT/)
})

for (const [args, message] of /** @type {[string, RegExp][]} */ ([
  ['--listen localhost', /--listen must be an IP address of this machine, got "localhost"/],
  ['--listen 192.0.2.1', /--listen must be an address of this machine, got 192\.0\.2\.1/],
  ['--listen 0.0.0.0', /--listen 0\.0\.0\.0 is every address: name the one/]
])) {
  test(`wrong usage: ${args}`, async t => {
    const run = `run --scenario keep-alive --queue node --rounds 1 ${args}`
    const { code, stderr } = await timerqHere(run, { cwd: temporaryFolder(t) })
    assert.equal(code, 2, stderr)
    assert.match(stderr, message)
    assert.match(stderr, /^.*\n$/)
  })
}

test(
  'servers listen where the user says, and a load command of the user reaches them there',
  { skip: needs('wrk') || skipUnless(process.platform === 'linux', 'needs another address of this machine') },
  async t => {
    const cwd = temporaryFolder(t)
    const listen = '127.0.0.2'
    const { code, stdout, stderr, out } = await untilThereIsTime(async attempt => {
      const out = `elsewhere-${attempt}`
      const run = words`run --preset ci --queue node,binary-heap --scenario keep-alive --sweep connections=20 --rounds 1
        --listen ${listen} --out ${out} --json`
      const load = ['--load-command', 'wrk -t{threads} -c{connections} -d{seconds}s --latency {url}']
      return { ...(await timerq([...run, ...load], { cwd })), out }
    })
    assert.equal(code, 0, stderr)
    const cells = /** @type {any[]} */ (JSON.parse(stdout).cells)
    assert.deepEqual(cells.map(({ queue }) => queue), ['node', 'binary-heap'])
    for (const { metrics } of cells) {
      for (const name of ['cpuMicrosPerRequest', 'requestsPerSecond', 'latencyP99Ms']) {
        assert.ok(metrics[name].median > 0, name)
      }
      assert.equal(metrics.errors.median, 0)
    }
    const { run: { environment, plan: { of: { load } } } } = readResults(path.join(cwd, out))
    assert.match(environment.loadGenerator, /^wrk -t\{threads\} /)
    assert.deepEqual([load.listen, load.command.at(-1)], [listen, '{url}'])
  }
)
