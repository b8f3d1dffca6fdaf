/** The schemas themselves are valid. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { Ajv } from 'ajv'

const SCHEMAS = new URL('../../../harness/store/schema/', import.meta.url)

test('every schema is one: timerq relies on them unchecked', () => {
  const ajv = new Ajv({ validateSchema: false })
  for (const file of readdirSync(SCHEMAS)) {
    const schema = JSON.parse(readFileSync(new URL(file, SCHEMAS), 'utf8'))
    assert.equal(ajv.validateSchema(schema), true, `${file}: ${ajv.errorsText()}`)
  }
})
