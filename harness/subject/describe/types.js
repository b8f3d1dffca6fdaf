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
  const strip = /** @type {any} */ (module).stripTypeScriptTypes ?? stripperOf(root)
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
 * @param {string} root
 * @returns {((text: string) => string) | undefined}
 */
function stripperOf (root) {
  // Each finds the packages that it has brought, and perhaps itself.
  const places = new Set([path.join(root, 'package.json')])
  for (const place of places) {
    if (installed(place, 'esbuild')) {
      const { transformSync } = createRequire(place)('esbuild')
      return text => transformSync(text, OPTIONS).code
    }
    for (const name of BRINGING) {
      const brought = installed(place, name)
      if (brought) places.add(brought)
    }
  }
}
