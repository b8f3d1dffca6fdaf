/**
 * Counts pairs of runs whose intervals do not touch: the test of an interval is another run.
 *
 *     timerq run --scenario keep-alive --seed 1 --out results/one   (and two, with --seed 2)
 *     node lab/disjoint.js results/one results/two ...
 *
 * Runs of servers count, too: their connections, load generators and ports differ from run to run by themselves.
 * Intervals of 95 % that hold everything which differs from run to run are disjoint in at most 2 % of pairs.
 */
import { readResults } from '../harness/store/results.js'
import { summarise } from '../harness/judge/summary.js'
import { cellId } from '../harness/model/cell.js'

const ratiosOf = process.argv
  .slice(2)
  .map(
    directory =>
      new Map(
        summarise(readResults(directory)).cells.flatMap(cell =>
          Object.entries(cell.metrics).flatMap(([metric, { ratio }]) =>
            ratio ? [[`${cellId(cell)} ${metric}`, ratio]] : []
          )
        )
      )
  )

let [pairs, disjoint] = [0, 0]
for (const name of ratiosOf[0]?.keys() ?? []) {
  const ratios = ratiosOf.flatMap(ratios => ratios.get(name) ?? [])
  const ofName = ratios.flatMap((one, i) =>
    ratios.slice(i + 1).map(other => one.low > other.high || other.low > one.high)
  )
  pairs += ofName.length
  const count = ofName.filter(Boolean).length
  disjoint += count
  const widths = ratios.map(
    ({ low, high, median }) => `${median.toPrecision(3)} (${((50 * (high - low)) / median).toFixed(1)} %)`
  )
  console.log(`${String(count).padStart(3)} of ${ofName.length}  ${name}: ${widths.join(', ')}`)
}
console.log(
  `${disjoint} of ${pairs} pairs of runs have intervals that do not touch (${((100 * disjoint) / pairs).toFixed(1)} %)`
)
