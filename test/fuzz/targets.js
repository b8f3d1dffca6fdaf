/**
 * Everything that reads what others wrote, each with a good input. A target throws what it would report; its oracle
 * asserts.
 */
import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { linkProfiles, writeProfiles } from '../../bin/drawings.js'
import { compareQueues, compareRuns } from '../../harness/judge/compare.js'
import { judgedAgain } from '../../harness/gate/gate.js'
import { parseAutocannonOutput } from '../../harness/measure/load/autocannon.js'
import { parseWrkOutput } from '../../harness/measure/load/wrk.js'
import { mergeShards } from '../../harness/store/merge.js'
import { buildTree, readCpuProfile } from '../../harness/profile/analysis/cpu-profile.js'
import { heavyProfile } from '../../harness/profile/analysis/heavy-profile.js'
import { readProfiles } from '../../harness/profile/recorded.js'
import { describeTrace } from '../../harness/trace/recommend.js'
import { readTrace } from '../../harness/store/trace-format.js'
import { readResults } from '../../harness/store/results.js'
import { summarise } from '../../harness/judge/summary.js'
import { DEFAULT_RULES } from '../../harness/judge/decision.js'
import { comparisonDocument } from '../../reports/documents/comparison.js'
import { renderHeavyProfile } from '../../reports/documents/heavy-profile.js'
import { summaryDocument } from '../../reports/documents/results.js'
import { runDocument } from '../../reports/documents/run.js'
import { recordedProfilesDocument } from '../../reports/documents/profiles.js'
import { formats, gateReports } from '../../reports/formats.js'
import { renderMarkdown } from '../../reports/render/markdown.js'
import { renderTerminal } from '../../reports/render/terminal.js'
import { createColors } from 'picocolors'
import { autocannonOutput, countedRun, cpuProfile, endedGate, profiledRun, wrkOutput } from './inputs.js'

/**
 * @typedef {object} Target
 * @property {string} name
 * @property {number} weight  Of all cases; what takes longer has less.
 * @property {Buffer} whole
 * @property {(bytes: Buffer) => unknown} read Of damaged bytes. What it throws must be for users; AssertionErrors are
 *   findings.
 */

const PLAIN = createColors(false)
const RULES = DEFAULT_RULES
const WORK = { base: 10, head: 20 }

/**
 * @param {string} folder  For their files.
 * @returns {Target[]}
 */
export function createTargets (folder) {
  const at = (/** @type {string[]} */ ...names) => path.join(folder, ...names)
  countedRun(at('base'), { day: '01', work: WORK.base })
  countedRun(at('head'), { day: '02', work: WORK.head })
  // Another machine, so that counts alone decide and a lost row could pass.
  writeFileSync(
    at('base/run.json'),
    readFileSync(at('base/run.json'), 'utf8').replace(/"cpu": ".*"/, '"cpu": "another"')
  )
  profiledRun(at('profiled'))
  endedGate(at('gates/now'))
  const judgeNow = () => judgedAgain(at('gates/now'))
  assert.equal(
    compareRuns(readResults(at('base')), readResults(at('head')), { rules: RULES, command: [] }).verdict,
    'regression'
  )
  const traceFile = new URL('../fixtures/traces/websocket-heartbeats.trace', import.meta.url)

  const run = (/** @type {string} */ directory) => readResults(at(directory))
  return [
    ...['run.json', 'samples.jsonl'].flatMap(name => [
      ofFile(`base's ${name}, compared`, 6, at('base', name), () => compare()),
      ofFile(`head's ${name}, compared`, 6, at('head', name), () => compare()),
      ofFile(`${name}, its queues compared`, 3, at('head', name), () =>
        show(compareQueues(run('head'), 'sorted-list', 'binary-heap', { rules: RULES, command: [] }))
      ),
      ofFile(`${name}, reported`, 1, at('head', name), () => report(run('head'))),
      ofFile(`${name}, merged`, 3, at('head', name), () => {
        const [base, head] = [run('base'), run('head')]
        mergeShards([head, { ...base, samples: [] }])
      }),
      ofFile(`${name} of profiles`, 2, at('profiled', name), () => showProfiles(run('profiled')))
    ]),
    ofFile('samples.jsonl of a gate', 3, at('gates/now/samples.jsonl'), async () => {
      const { verdict } = await judgeNow()
      assert.notEqual(verdict, 'pass', 'a head that is 1.5 times as slow')
    }),
    ofFile('run.json of a gate', 3, at('gates/now/run.json'), () => judgeNow()),
    ofBytes('a trace', 12, readFileSync(traceFile), at('x.trace'), file => describeTrace(readTrace(file))),
    ofBytes('a CPU profile', 8, Buffer.from(JSON.stringify(cpuProfile)), at('x.cpuprofile'), showProfile),
    {
      name: 'output of wrk',
      weight: 12,
      whole: Buffer.from(wrkOutput),
      read: bytes => parseWrkOutput(bytes.toString())
    },
    {
      name: 'output of autocannon',
      weight: 12,
      whole: Buffer.from(autocannonOutput),
      read: bytes => parseAutocannonOutput(bytes.toString())
    }
  ]

  async function compare () {
    const [base, head] = [run('base'), run('head')]
    const compared = compareRuns(base, head, { rules: RULES, command: [] })
    await show(compared)
    if (compared.verdict === 'pass') {
      assert.ok(saysOtherwise(at('base'), at('head')), 'a regression that nothing in the files takes back passed')
    }
  }
}

/**
 * Damage may leave a valid run that measured something else: then a pass is right. Read here with as little of timerq
 * as can be.
 *
 * @param {string} base
 * @param {string} head
 */
function saysOtherwise (base, head) {
  const [before, after] = [base, head].map(directory =>
    readFileSync(path.join(directory, 'samples.jsonl'), 'utf8')
      .split('\n')
      .slice(0, -1)
      .map(line => JSON.parse(line))
  )
  return [10, 100].every(size => {
    const [was, is] = [before, after].map(
      samples =>
        samples.find(({ kind, queue, params }) => kind === 'count' && queue === 'binary-heap' && params.size === size)
          ?.metrics.workPerOp
    )
    return typeof was === 'number' && typeof is === 'number' && is <= was * (1 + RULES.floor)
  })
}

/** @param {import('../../harness/judge/records.js').ComparisonRecord} record */
async function show (record) {
  const gating = record.comparisons.filter(({ gates }) => gates)
  if (record.verdict === 'pass') {
    assert.ok(
      gating.length > 0 &&
        gating.every(({ verdict, guard }) => verdict === 'pass' || (guard && verdict === 'inconclusive')),
      'a pass with other rows'
    )
  }
  const document = comparisonDocument(record)
  assertPlain(renderTerminal(document, PLAIN))
  assertPlain(renderMarkdown(document))
  for (const { load } of Object.values(gateReports)) {
    assertPlain((await load()).render(record, new Map()))
  }
}

/** @param {import('../../harness/store/results.js').Results} results */
async function report (results) {
  const summary = summarise(results)
  const document = () => runDocument(results, summary)
  assertPlain(renderTerminal(summaryDocument(summary), PLAIN))
  JSON.stringify(summary)
  for (const { load } of Object.values(formats)) {
    if (load) assertPlain((await load()).render({ document, summary }))
  }
}

/** @param {import('../../harness/store/results.js').Results} results */
function showProfiles (results) {
  assertPlain(renderTerminal(recordedProfilesDocument(results), PLAIN))
  const { profiles } = readProfiles(results)
  const document = runDocument(results, summarise(results), {
    comparison: null,
    profiles,
    profileFiles: linkProfiles(results, results.directory)
  })
  assertPlain(renderMarkdown(document))
  try {
    writeProfiles(results)
  } finally {
    for (const name of ['sorted-list', 'binary-heap']) {
      rmSync(path.join(results.directory, 'profiles', `${name}.heavy.txt`), { force: true })
    }
  }
}

/** @param {string} file */
function showProfile (file) {
  const profile = buildTree(readCpuProfile(file))
  renderHeavyProfile(heavyProfile(profile, 1), { title: 'x', ticks: profile.ticks, idleTicks: 0 })
}

/**
 * No control characters but line feeds: a terminal would obey them.
 *
 * @param {string} text
 */
function assertPlain (text) {
  const found = /[^\P{Cc}\n]/u.exec(text)
  assert.equal(found, null, `a control character, ${JSON.stringify(found?.[0])}`)
}

/**
 * A file that is damaged where it lies, and made whole again.
 *
 * @param {string} name
 * @param {number} weight
 * @param {string} file
 * @param {() => unknown} read
 * @returns {Target}
 */
function ofFile (name, weight, file, read) {
  const whole = readFileSync(file)
  return {
    name,
    weight,
    whole,
    async read (bytes) {
      writeFileSync(file, bytes)
      try {
        await read()
      } finally {
        writeFileSync(file, whole)
      }
    }
  }
}

/**
 * @param {string} name
 * @param {number} weight
 * @param {Buffer} whole
 * @param {string} file
 * @param {(file: string) => unknown} read
 * @returns {Target}
 */
function ofBytes (name, weight, whole, file, read) {
  return {
    name,
    weight,
    whole,
    read (bytes) {
      writeFileSync(file, bytes)
      return read(file)
    }
  }
}
