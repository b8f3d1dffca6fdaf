/** Gates of simulated pairs: looks, early stops and verdicts as in a real one, and pairs with known faults. */
import { planLooks } from '../../harness/gate/gate-plan.js'
import { DEFAULT_RULES, judge, overallVerdict } from '../../harness/judge/decision.js'

/** @import { Comparison, Row, Wanted } from '../../harness/judge/records.js' */

/**
 * @typedef {object} SimulatedGate
 * @property {(() => number)[]} rows  Each draws the ratio of its next pair.
 * @property {string[]} [metrics]  Metrics of the rows; default: nsPerOp.
 * @property {(Wanted | undefined)[]} [expect]  What rows must show; default: not slower.
 * @property {number} [pairs]  Planned pairs.
 * @property {boolean} [looks]  false: judged once, at the end, as `timerq compare` does.
 */

/**
 * @param {SimulatedGate} gate
 * @returns {{verdict: string, rows: Comparison[]}}
 */
export function simulateGate ({ rows, metrics = [], expect = [], pairs = 60, looks = true }) {
  const planned = looks ? planLooks(pairs, rows.length) : []
  /** @type {Row[]} */
  const taken = rows.map((_, i) => ({
    scenario: String(i),
    params: {},
    queue: '',
    runtime: '',
    metric: metrics[i] ?? 'nsPerOp',
    gates: true,
    wanted: expect[i],
    rounds: 0,
    pairs: []
  }))
  let open = [...taken.keys()]
  /** @type {Comparison[]} */
  let judged = []
  for (const { rounds } of looks ? planned : [{ rounds: pairs }]) {
    for (const i of open) {
      for (let round = taken[i].rounds; round < rounds; round++) taken[i].pairs.push(pairOf(round, rows[i]()))
      taken[i].rounds = rounds
    }
    judged = judge(taken, planned, DEFAULT_RULES)
    open = open.filter(i => judged[i].verdict === 'inconclusive')
    if (judged.every(({ verdict, guard }) => verdict !== 'inconclusive' || guard)) break
  }
  return { verdict: overallVerdict(judged), rows: judged }
}

/**
 * @param {number} round
 * @param {number} ratio
 */
function pairOf (round, ratio) {
  return ratio === 0 ? { round, ratio, base: Infinity, head: 50 } : { round, ratio, base: 50, head: 50 * ratio }
}

/**
 * The share of gates that satisfy a condition.
 *
 * @param {number} count
 * @param {() => SimulatedGate} draw
 * @param {(result: {verdict: string, rows: Comparison[]}) => boolean} condition
 */
export function shareOfGates (count, draw, condition) {
  let found = 0
  for (let i = 0; i < count; i++) if (condition(simulateGate(draw()))) found++
  return found / count
}
