/** Summaries of runs in heats, made from their ratios. */
import { rank } from '../../../harness/judge/rank.js'

/** @typedef {[low: number, median: number, high: number]} Interval */
/** @typedef {[low: number, median: number, high: number, heats?: number]} Ratio */

/**
 * A run in heats: by scenario and size (`refresh 100`), or by server (`keep-alive`), the ratios of the queues to their
 * control.
 *
 * @param {Record<string, Record<string, Interval>>} places
 * @param {object} [options]
 * @param {number} [options.n]
 * @param {number} [options.coverage]
 * @param {object} [options.end]
 * @param {object} [options.of]
 * @param {Record<string, object>} [options.queues]
 * @param {Record<string, Record<string, Ratio>>} [options.others]  Ratios of each queue to other queues than the
 *   control, the same in every table; of `n` heats by default.
 * @param {object} [options.more]
 */
export function summaryOf (places, options = {}) {
  const { n = 8, coverage = 0.95, end = {}, of = {}, queues = {}, others = {}, more = {} } = options
  const isMicro = (/** @type {string} */ place) => place.includes(' ')
  const ratioOf = (/** @type {string} */ to, /** @type {Ratio} */ [low, median, high, heats = n]) => ({
    to,
    by: 'heat',
    median,
    low,
    high,
    n: heats,
    coverage
  })
  const cells = Object.entries(places).flatMap(([place, ratios]) => {
    const [scenario, size] = place.split(' ')
    const [control, metric] = isMicro(place) ? ['lists', 'nsPerOp'] : ['node', 'cpuMicrosPerRequest']
    const figures = {
      unit: isMicro(place) ? 'ns' : 'µs',
      better: 'lower',
      median: 100,
      low: 90,
      high: 110,
      n,
      coverage
    }
    const cellOf = (/** @type {string} */ queue, /** @type {object} */ ratio) => ({
      scenario,
      params: isMicro(place) ? { size: Number(size) } : { connections: 400, seconds: 1 },
      queue,
      runtime: 'v20',
      metrics: { [metric]: { ...figures, ...ratio } },
      warnings: []
    })
    return [
      cellOf(control, {}),
      ...Object.entries(ratios).map(([queue, interval]) =>
        cellOf(queue, {
          median: 100 * interval[1],
          ratio: ratioOf(control, interval),
          others: Object.entries(others[queue] ?? {}).map(([to, other]) => ratioOf(to, other))
        })
      )
    ]
  })
  const names = [...new Set(cells.map(({ queue }) => queue))]
  const summary = /** @type {any} */ ({
    run: 'results/now',
    command: ['timerq', 'run'],
    settings: { control: { micro: 'lists', http: 'node' } },
    end: { budgetSeconds: null, rounds: n, ...end },
    of,
    environment: { node: 'v20' },
    scenarios: [...new Set(Object.keys(places).map(place => place.split(' ')[0]))].map(name => ({
      name,
      title: '',
      kind: isMicro(Object.keys(places).find(place => place.startsWith(name)) ?? '') ? 'micro' : 'http',
      steps: ['heat']
    })),
    queues: names.map(name => ({ name, origin: 'own', ...queues[name] })),
    cells,
    skipped: [],
    warnings: [],
    ...more
  })
  return /** @type {import('../../../harness/judge/records.js').Summary} */ ({ ...summary, ranking: rank(summary) })
}
