/**
 * The simulations behind docs/reference/trust.md: `npm run simulate` prints their table, `npm run simulate -- 200`
 * a quicker and coarser one. The exit code is 1 when a rule misses its bounds.
 */
import { simulations } from './simulations.js'

const REPETITIONS = 1000

const repetitions = Number(process.argv[2] ?? REPETITIONS)
const percent = (/** @type {number} */ share) => `${Math.round(1000 * share) / 10} %`

console.log('| rule | data | counted | repetitions | share | should be |\n| --- | --- | --- | ---: | ---: | --- |')
for (const { rule, data, counted, least, most, weight = 1, run } of simulations) {
  const count = Math.ceil(repetitions * weight)
  const share = run(count)
  // Chance alone moves the share by its standard error.
  const slack = 2 * Math.sqrt(Math.max(most * (1 - most), least * (1 - least)) / count)
  const holds = share >= least - slack && share <= most + slack
  if (!holds) process.exitCode = 1
  const bounds =
    least === 0
      ? `at most ${percent(most)}`
      : most === 1
        ? `at least ${percent(least)}`
        : `${percent(least)} to ${percent(most)}`
  console.log(`| ${rule} | ${data} | ${counted} | ${count} | ${percent(share)}${holds ? '' : ' **!**'} | ${bounds} |`)
}
