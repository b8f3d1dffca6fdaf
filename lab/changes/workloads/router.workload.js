/** Request paths are routed by router.js. */
import { Router } from './router.js'

const PATTERNS = [
  '/users',
  '/users/:id',
  '/users/:id/posts',
  '/users/:id/posts/:post',
  '/orders',
  '/orders/:order',
  '/orders/:order/items/:item',
  '/health',
  '/static/css/main',
  '/static/js/main'
]

/** @type {import('../../../scenarios/contract.js').CodeScenario} */
export const scenario = {
  name: 'router',
  title: 'request paths are routed, some with parameters',
  kind: 'code',
  source: 'lab/changes',
  parameters: { paths: { title: 'paths', minimum: 1 } },
  presets: { quick: { paths: [1000] }, documented: { paths: [1000] }, ci: { paths: [1000] } },
  createWorkload (/** @type {{paths: number}} */ { paths }, /** @type {(limit: number) => number} */ random) {
    const router = new Router()
    PATTERNS.forEach((pattern, i) => router.add(pattern, `route ${i}`))
    const asked = Array.from({ length: paths }, () =>
      PATTERNS[random(PATTERNS.length)].replaceAll(/:\w+/g, () => String(random(100_000)))
    )
    const outcome = { checksum: 0 }
    return {
      outcome,
      phases: [
        {
          metric: 'nsPerOp',
          operations: paths,
          run () {
            let sum = 0
            for (const path of asked) sum += router.find(path)?.route.length ?? 0
            outcome.checksum = sum
          }
        }
      ]
    }
  }
}
