/** Shards by the scripts and files of the manual. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
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
