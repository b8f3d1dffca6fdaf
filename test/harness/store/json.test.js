/** The schemas themselves are valid. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { Ajv } from 'ajv'

const HARNESS = new URL('../../../harness/', import.meta.url)
/** Those of the store, and parts of a plan beside the code that reads them. */
const SCHEMAS = readdirSync(HARNESS, { recursive: true, encoding: 'utf8' }).filter(file => /\.schema\.json$/.test(file))

test('every schema is one: timerq relies on them unchecked', () => {
  const ajv = new Ajv({ validateSchema: false })
  for (const folder of ['store/schema/', 'gate/', 'formats/']) {
    assert.ok(SCHEMAS.some(file => file.startsWith(folder)), folder)
  }
  for (const file of SCHEMAS) {
    const schema = JSON.parse(readFileSync(new URL(file, HARNESS), 'utf8'))
    assert.equal(ajv.validateSchema(schema), true, `${file}: ${ajv.errorsText()}`)
  }
})
