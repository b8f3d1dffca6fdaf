/** Profiles of servers, recorded briefly; tools that fail. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { SampleError } from '../../../harness/model/errors.js'
import { tool as cpu } from '../../../harness/profile/tools/cpu.js'
import { readCpuProfile } from '../../../harness/profile/analysis/cpu-profile.js'
import { copyReport, findPackage } from '../../../harness/profile/tools/packaged.js'
import { runTool, runUnderLoad } from '../../../harness/profile/tools/under-load.js'
import { profileRun, recordProfile } from '../../../harness/profile/record-profile.js'
import { summarise } from '../../../harness/judge/summary.js'
import { temporaryFolder } from '../temporary-folder.js'
import { busy, dying, node, planOf, profile, PROJECT, sortedList } from './profiles.js'

/** @import { ToolContext } from '../../../harness/profile/tools.js' */

test('a CPU profile is kept with the shares of its queue and its error, as a separate kind', async t => {
  const { results, files, folder } = await profile(t, planOf([busy]), [cpu])
  const [{ kind, metrics, details }] = results.samples
  assert.equal(kind, 'profile')
  assert.deepEqual(Object.keys(metrics), ['queueShare', 'fidelityError'])
  assert.ok(details.fidelity.known > 0.1 && details.shares.timers.inclusive > 0)
  assert.deepEqual(files, details.files)
  const { nodes } = readCpuProfile(path.join(folder, files[0]))
  assert.ok(nodes.some(({ callFrame: { url, lineNumber } }) => url.endsWith('/timer-service.js') && lineNumber < 500))
  assert.equal(summarise(results).cells[0].metrics.queueShare.n, 1)
  const onProgress = () => assert.fail('a server that has a profile is not profiled again')
  const again = await profileRun(results, { onProgress, signal: new AbortController().signal })
  assert.equal(again.samples.length, 1)
})

test('a profile that is not calibrated has no error', async t => {
  const directory = temporaryFolder(t)
  const plan = planOf([busy])
  const { metrics, details } = await recordProfile(plan, { cells: plan.cells, round: 0 }, { tool: cpu, directory })
  assert.deepEqual([Object.keys(metrics), 'fidelity' in details], [['queueShare'], false])
  assert.ok(details.ticks > 0 && details.queueTicks > 0 && details.queueTicks < details.ticks)
  assert.equal(details.fired, 0)
})

test('a tool gets the interval asked for, and a file name for each round', async t => {
  const directory = temporaryFolder(t)
  const plan = planOf([sortedList])
  /** @type {ToolContext[]} */
  const contexts = []
  const tool = {
    ...cpu,
    record: async (/** @type {ToolContext} */ context) => {
      contexts.push(context)
      return { metrics: {}, warnings: [] }
    }
  }
  for (const round of [0, 1]) {
    await recordProfile(plan, { cells: plan.cells, round }, { tool, directory, samplingMicros: 50 + round })
  }
  assert.deepEqual(
    contexts.map(({ samplingMicros }) => samplingMicros),
    [50, 51]
  )
  assert.equal(contexts[1].fileName, `${contexts[0].fileName}_2`)
})

test('a server that dies and a tool that fails cost only their own samples', async t => {
  const failing = {
    ...cpu,
    name: 'failing',
    record: async () => {
      throw new SampleError('crash', 'out of order')
    }
  }
  const { results } = await profile(t, planOf([sortedList, dying]), [cpu, failing])
  const lines = [...results.samples].map(({ queue, failure }) => `${queue}: ${failure?.message ?? 'fine'}`).sort()
  assert.deepEqual(lines, [
    'dying: cpu: the process ended with exit code 3',
    'dying: failing: out of order',
    'sorted-list: failing: out of order',
    'sorted-list: fine'
  ])
  assert.ok(results.run.ended)
})

test("a tool's server says what load it needs, or why there is none", async t => {
  const folder = temporaryFolder(t)
  const profileOf = (/** @type {string} */ scenario, script = 'exec "$@"', params = {}) => {
    const {
      cells: [cell],
      ...plan
    } = planOf([node])
    const context = {
      plan: {
        ...plan,
        cells: [],
        scenarios: plan.scenarios.map(planned => ({ ...planned, url: new URL(scenario, PROJECT).href }))
      },
      cell: { ...cell, params: { ...cell.params, ...params } },
      ...{ pins: { subject: [], load: [], cores: [[]], note: '' }, folder, fileName: 'x', isCalibrated: false }
    }
    return runUnderLoad(context, {
      wrap: program => ['sh', '-c', script, 'sh', ...program],
      harvest: async () => 'a report'
    })
  }
  const files = { files: 2, records: 1, readsPerWrite: 1, split: 1 }
  assert.equal(await profileOf('scenarios/files-cluster.js', undefined, { ...files, workers: 1 }), 'a report')
  await assert.rejects(profileOf('scenarios/files-cluster.js', undefined, { ...files, workers: 2 }), {
    kind: 'crash',
    message: 'a profile covers one process: profile a cluster with one worker'
  })
  for (const [rubbish, message] of /** @type {const} */ ([
    ['1 2', /^its process sent an invalid reply: .*JSON/],
    ['{ "port": 1 }', 'its process sent an invalid reply: needs: undefined']
  ])) {
    await assert.rejects(profileOf('scenarios/keep-alive.js', `echo '${rubbish}' > ready.json`), {
      kind: 'wrong',
      message
    })
  }
})

test('a package that is not installed is named with the command that installs it', () => {
  assert.throws(() => findPackage('no-such-profiler', 'bin.js', '13'), {
    exitCode: 2,
    message: /^no-such-profiler is not installed.*npm install no-such-profiler@13/
  })
})

test('a tool that starts no server, fails, is missing or writes nothing is reported', async t => {
  const folder = temporaryFolder(t)
  const plan = planOf([sortedList])
  const context = { plan, cell: plan.cells[0], pins: { subject: [], load: [], note: '' }, folder, fileName: 'x' }
  const run = (/** @type {string[]} */ ...command) =>
    runUnderLoad(context, { wrap: () => command, harvest: async () => {} })
  const node = process.execPath
  await assert.rejects(run(node, '-e', ''), { kind: 'crash', message: 'ended without a server' })
  await assert.rejects(run(node, '-e', 'throw new Error("no licence")'), {
    kind: 'crash',
    message: /exit code 1.*no licence/
  })
  await assert.rejects(run('/nowhere/profiler'), { kind: 'crash', message: /ENOENT/ })
  await assert.rejects(runTool([node, '-e', 'process.exit(3)'], folder), { kind: 'crash', message: /exit code 3/ })
  writeFileSync(path.join(folder, 'empty'), '')
  for (const file of ['empty', 'missing']) {
    assert.throws(() => copyReport(path.join(folder, file), context, '.html'), {
      kind: 'crash',
      message: 'ended well but wrote no report'
    })
  }
})
