/** Shards by the scripts and files of the manual. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Ajv } from 'ajv'
import { readYaml, ROOT } from '../action/dry-run.js'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { needs } from '../needs.js'

test(
  'a shard that was stopped is continued with the queues of the user, which would be refused otherwise',
  { skip: needs('parallel') },
  t => {
    const [folder, cwd] = [temporaryFolder(t), temporaryFolder(t)]
    const file = (/** @type {string} */ name, /** @type {string} */ text) => {
      writeFileSync(path.join(cwd, name), text, { mode: 0o755 })
      return path.join(cwd, name)
    }
    mkdirSync(path.join(folder, 'results/shard-1'), { recursive: true })
    writeFileSync(path.join(folder, 'results/shard-1/run.json'), '{}')
    const env = {
      ...process.env,
      FOLDER: folder,
      TIMERQ: file('timerq', '#!/bin/sh\necho "$@"\n'),
      SSH: file('ssh', '#!/bin/sh\nshift\nexec sh -c "$*"\n'),
      QUEUES: '--queue ./mine.js',
      OPTIONS: '--seed 5'
    }
    const { status, stdout, stderr } = spawnSync('bash', [path.join(ROOT, 'docs/machines/hosts.sh'), 'a'], {
      cwd,
      env,
      encoding: 'utf8'
    })
    assert.equal(status, 0, stderr)
    assert.match(stdout, /^a\s.*run --resume results\/shard-1 --queue \.\/mine\.js$/m)
  }
)

const job = readYaml('docs/machines/kubernetes-job.yaml')

test('the Kubernetes job is one that Kubernetes takes', () => {
  const schema = JSON.parse(
    gunzipSync(readFileSync(new URL('kubernetes-job.schema.json.gz', import.meta.url))).toString()
  )
  const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema)
  assert.ok(validate(job), JSON.stringify(validate.errors))
  const { completionMode, ...spec } = job.spec
  assert.ok(!validate({ ...job, spec: { ...spec, completionmode: completionMode } }), 'a misspelt field is found')
})

test('the Kubernetes job measures each shard once, and goes on with one that was stopped', t => {
  const cwd = temporaryFolder(t)
  writeFileSync(path.join(cwd, 'npx'), '#!/bin/sh\necho "$@"\n')
  chmodSync(path.join(cwd, 'npx'), 0o755)
  const {
    completions,
    completionMode,
    template: {
      spec: {
        containers: [
          {
            command: [program, ...options],
            args,
            env
          }
        ]
      }
    }
  } = job.spec
  assert.equal(completionMode, 'Indexed')
  const variables = Object.fromEntries(env.map((/** @type {any} */ { name, value }) => [name, value]))
  assert.equal(variables.SHARDS, String(completions))
  assert.match(variables.OPTIONS, / --seed \d+$/)
  variables.QUEUES = '--queue ./mine.js'
  const run = (/** @type {number} */ index) => {
    const { status, stdout, stderr } = spawnSync(program, [...options, ...args], {
      cwd,
      encoding: 'utf8',
      env: { ...variables, PATH: `${cwd}:${process.env.PATH}`, JOB_COMPLETION_INDEX: String(index) }
    })
    assert.equal(status, 0, stderr)
    return stdout.trim()
  }
  const shards = Array.from({ length: completions }, (_, index) => run(index))
  assert.deepEqual(
    shards,
    [1, 2, 3].map(
      shard => `timerq run ${variables.QUEUES} ${variables.OPTIONS} --shard ${shard}/3 --out results/shard-${shard}`
    )
  )
  mkdirSync(path.join(cwd, 'results/shard-2'), { recursive: true })
  writeFileSync(path.join(cwd, 'results/shard-2/run.json'), '{}')
  // The plan is in the results; a queue of the user's would be refused if it were not named again.
  assert.equal(run(1), `timerq run --resume results/shard-2 ${variables.QUEUES}`)
})

test('the shards of the GitHub matrix are those of one plan', () => {
  const {
    jobs: { shard, merge }
  } = readYaml('docs/workflows/timerq-shards.yml')
  const measure = shard.steps.find((/** @type {any} */ { run }) => run?.includes('--shard'))
  assert.match(measure.run, /--seed \d+ --shard "\$SHARD\/\$SHARDS"/)
  assert.deepEqual(
    [measure.env.SHARDS, shard.strategy.matrix.shard],
    [['$', '{{ strategy.job-total }}'].join(''), [1, 2, 3]]
  )
  assert.equal(merge.needs, 'shard')
})
