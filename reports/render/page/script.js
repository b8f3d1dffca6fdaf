/**
 * The script of the page with what it imports, ECharts above all, in one text. A checkout bundles it when it is first
 * needed; the npm package holds it as a file, so that esbuild is no dependency of timerq.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const PACKED = new URL('client.min.js', import.meta.url)

/** @type {string | undefined} */
let script

/** @returns {string} */
export function readScript () {
  script ??= existsSync(PACKED) ? readFileSync(PACKED, 'utf8') : bundle()
  return script
}

function bundle () {
  /** @type {typeof import('esbuild')} */
  const { buildSync } = createRequire(import.meta.url)('esbuild')
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(new URL('client.js', import.meta.url))],
    bundle: true,
    minify: true,
    write: false,
    charset: 'utf8',
    legalComments: 'inline'
  })
  return outputFiles[0].text
}

// Run as a program, before the package is packed.
if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(PACKED, bundle())
