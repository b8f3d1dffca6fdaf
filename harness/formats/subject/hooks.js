/** Answers imports of benchmark libraries by shims, in ES modules and in CommonJS, from now on in this process. */
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

let isDone = false

export function answerImports () {
  if (isDone) return
  isDone = true
  const { registerHooks, register, _load: load } = /** @type {any} */ (Module)
  // Hooks in the same thread came with Node 22.15.
  if (registerHooks) registerHooks({ resolve })
  else register(new URL('answered.js', import.meta.url))
  const answer = (/** @type {string} */ request, /** @type {any[]} */ ...rest) => {
    if (Object.hasOwn(REQUIRED, request)) return REQUIRED[request]
    return answerCommon(request, load(request, ...rest), createBenchmark)
  }
  Object.assign(Module, { _load: answer })
  // vitest's option `globals` is common in its projects.
  for (const [name, value] of Object.entries(vitest)) {
    if (!(name in globalThis)) Object.assign(globalThis, { [name]: value })
  }
}
