/** Makes ES modules and CommonJS modules of this process import shims in place of benchmark libraries. */
import Module from 'node:module'
import { resolve } from './answered.js'
import benchmark from './benchmark-js.js'
import * as benchNode from './bench-node.js'
import * as mitata from './mitata.js'
import { answerCommon } from './node-answer.js'
import { createBenchmark } from './node-common.js'
import * as tinybench from './tinybench.js'
import * as vitest from './vitest.js'

/** @type {Record<string, unknown>} */
const REQUIRED = { benchmark, 'bench-node': benchNode, mitata, tinybench, vitest }

let isInstalled = false

export function answerImports () {
  if (isInstalled) return
  isInstalled = true
  const { registerHooks, register, _load: load } = /** @type {any} */ (Module)
  // Since Node 22.15, hooks can run in the same thread.
  if (registerHooks) registerHooks({ resolve })
  else register(new URL('answered.js', import.meta.url))
  const loadOrAnswer = (/** @type {string} */ request, /** @type {unknown} */ parent, isMain = false) => {
    if (Object.hasOwn(REQUIRED, request)) return REQUIRED[request]
    // The benchmark file is `require.main`.
    const isFile = parent === undefined && request === process.argv[1]
    return answerCommon(request, load(request, parent, isMain || isFile), createBenchmark)
  }
  Object.assign(Module, { _load: loadOrAnswer })
  // Many projects use vitest's option `globals`, and import nothing.
  for (const [name, value] of Object.entries(vitest)) {
    if (!(name in globalThis)) Object.assign(globalThis, { [name]: value })
  }
}
