/**
 * A benchmark file of tinybench: functions whose speed matters. Here, two ways to add up the numbers in a line of text.
 *
 *   timerq run --scenario ./my-workload.js                   how fast are they, next to each other?
 *   timerq gate --base main --scenario ./my-workload.js  is my working tree slower than main? The exit code says it.
 *
 * timerq measures it without tinybench. To run it by itself: npm install --save-dev tinybench && node my-workload.js
 */
import { Bench } from 'tinybench'

// Your own code goes into modules that this file imports. A gate compares all of them with those of main.
const sumOf = (/** @type {string} */ line) => line.split(' ').reduce((sum, word) => sum + Number(word), 0)

function sumByPattern (/** @type {string} */ line) {
  let sum = 0
  for (const [number] of line.matchAll(/\d+/g)) sum += Number(number)
  return sum
}

// All that is needed is made before the tasks run. In a heat, Math.random draws the same numbers for all versions.
const line = Array.from({ length: 20 }, () => Math.floor(10_000 * Math.random())).join(' ')

const bench = new Bench({ name: 'sums' })

bench
  .add('split', () => sumOf(line)) // The first task is the one that others are compared with.
  .add('pattern', () => sumByPattern(line))

await bench.run()
console.table(bench.table())
