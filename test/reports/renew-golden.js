/** `npm run golden`: writes the golden files anew. Read the difference before you commit it. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { GOLDEN, renderGolden } from './golden.js'

for (const { name, text } of renderGolden()) {
  const file = new URL(name, GOLDEN)
  mkdirSync(new URL('.', file), { recursive: true })
  writeFileSync(file, text)
}
