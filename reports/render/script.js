/**
 * Scripts of pages, each with what it imports in one text: ECharts, d3-flame-graph. A checkout bundles one when it is
 * first needed; the npm package holds them as files, so that timerq depends neither on esbuild nor on d3.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

/** Folders of the pages. */
const PAGES = ['page', 'flame-graph']

/** @type {Map<string, string>} */
const scripts = new Map()

/** @param {string} page */
const packedFile = page => new URL(`${page}/client.min.js`, import.meta.url)

/**
 * @param {string} page  Its folder.
 * @returns {string}
 */
export function readScript (page) {
  const packed = packedFile(page)
  const script = scripts.get(page) ?? (existsSync(packed) ? readFileSync(packed, 'utf8') : bundle(page).script)
  scripts.set(page, script)
  return script
}

/** @param {string} page */
function bundle (page) {
  /** @type {typeof import('esbuild')} */
  const { buildSync } = createRequire(import.meta.url)('esbuild')
  const { outputFiles, metafile } = buildSync({
    entryPoints: [fileURLToPath(new URL(`${page}/client.js`, import.meta.url))],
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
  for (const page of PAGES) {
    const { script, files } = bundle(page)
    const packages = new Set(files.flatMap(file => file.match(/.*node_modules\/(@[^/]+\/)?[^/]+\//)?.[0] ?? []))
    const licences = [...packages].flatMap(folder =>
      readdirSync(folder)
        .filter(name => /^licen[cs]e\b/i.test(name))
        .map(name => `${folder}${name}\n\n${readFileSync(`${folder}${name}`, 'utf8')}`)
    )
    writeFileSync(packedFile(page), script)
    writeFileSync(new URL('LICENSES', packedFile(page)), licences.join('\n'))
  }
}
