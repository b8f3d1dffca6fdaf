/** Takes the types out of TypeScript, by Node or by the esbuild that the project has. */
import module, { createRequire } from 'node:module'
import path from 'node:path'
import { FORMATS } from '../../formats/registry.js'
import { installed } from '../../formats/subject/project.js'

/** An import stays, although nothing but types seems to use it. */
const OPTIONS = { loader: 'ts', tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } } }
/** Packages that bring esbuild with them, or bring one of the others. */
const BRINGING = [...FORMATS.flatMap(({ library }) => library ?? []), 'vite', 'tsx', 'tsup']

/**
 * @param {{root: string, texts: string[]}} task  `root`: folder of a project.
 * @returns {{texts: string[]}} each as it was where its types cannot be taken out
 */
export function withoutTypes ({ root, texts }) {
  const strip = /** @type {any} */ (module).stripTypeScriptTypes ?? stripperOf(path.join(root, 'package.json'))
  return { texts: texts.map(text => stripped(text, strip)) }
}

/** @type {(text: string, strip?: (text: string) => string) => string} */
function stripped (text, strip) {
  try {
    return strip?.(text) ?? text
  } catch {
    return text
  }
}

/**
 * @param {string} from  File that finds packages.
 * @returns {((text: string) => string) | undefined}
 */
function stripperOf (from) {
  if (installed(from, 'esbuild')) {
    const { transformSync } = createRequire(from)('esbuild')
    return text => transformSync(text, OPTIONS).code
  }
  for (const name of BRINGING) {
    const place = installed(from, name)
    const strip = place === null ? undefined : stripperOf(place)
    if (strip) return strip
  }
}
