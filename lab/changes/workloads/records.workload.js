/** Log lines are parsed by records.js. */
import { RecordParser } from './records.js'

/** @type {import('../../../scenarios/contract.js').CodeScenario} */
export const scenario = {
  name: 'records',
  title: 'log lines are parsed: JSON with dates',
  kind: 'code',
  source: 'lab/changes',
  parameters: { lines: { title: 'lines', minimum: 1 } },
  presets: { quick: { lines: [300] }, documented: { lines: [300] }, ci: { lines: [300] } },
  createWorkload (/** @type {{lines: number}} */ { lines }, /** @type {(limit: number) => number} */ random) {
    const two = () => String(10 + random(18))
    const texts = Array.from({ length: lines }, () =>
      JSON.stringify({
        at: `20${two()}-12-${two()}T${two()}:${two()}:${two()}Z`,
        level: 'info',
        path: `/users/${random(10_000)}`,
        ms: random(1000),
        tags: ['a', 'b']
      })
    )
    const parser = new RecordParser()
    const outcome = { checksum: 0 }
    return {
      outcome,
      phases: [
        {
          metric: 'nsPerOp',
          operations: lines,
          run () {
            let sum = 0
            for (const text of texts) sum += Number(parser.parse(text).ms)
            outcome.checksum = sum
          }
        }
      ]
    }
  }
}
