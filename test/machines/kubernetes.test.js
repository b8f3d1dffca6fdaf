/** The Kubernetes job of the manual. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { Ajv } from 'ajv'
import { readYaml } from '../action/dry-run.js'

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
