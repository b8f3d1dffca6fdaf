/**
 * The script of the page, with ECharts and all that it imports in one text. A checkout bundles it when it is first
 * needed; the npm package holds it as a file, so that timerq does not depend on esbuild.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const PACKED = new URL('page/client.min.js', import.meta.url)

/** @type {string | undefined} */
let script

export function readScript () {
  script ??= existsSync(PACKED) ? readFileSync(PACKED, 'utf8') : bundle().script
  return script
}

function bundle () {
  /** @type {typeof import('esbuild')} */
  const { buildSync } = createRequire(import.meta.url)('esbuild')
  const { outputFiles, metafile } = buildSync({
    entryPoints: [fileURLToPath(new URL('page/client.js', import.meta.url))],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    charset: 'utf8',
    legalComments: 'inline',
    loader: { '.css': 'empty' }
  })
  return { script: outputFiles[0].text, files: Object.keys(metafile.inputs) }
}

// Run as a program, before the package is packed.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { script, files } = bundle()
  const packages = new Set(files.flatMap(file => file.match(/.*node_modules\/(@[^/]+\/)?[^/]+\//)?.[0] ?? []))
  const licences = [...packages].flatMap(folder =>
    readdirSync(folder)
      .filter(name => /^licen[cs]e\b/i.test(name))
      .map(name => `${folder}${name}\n\n${readFileSync(`${folder}${name}`, 'utf8')}`)
  )
  writeFileSync(PACKED, script)
  writeFileSync(new URL('LICENSES', PACKED), licences.join('\n'))
}
