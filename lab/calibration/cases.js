/**
 * Changes whose verdict is known. Each is the base and the head of some files, and the options of the gate.
 *
 *   same     queues after edits that change nothing (edits.js)
 *   slower   a loop with 5, 10 and 25 % more turns
 */
import { readFileSync } from 'node:fs'
import { edit, VARIANTS } from './edits.js'

/**
 * @typedef {object} Case
 * @property {string} kind
 * @property {string} name
 * @property {'pass' | 'regression'} wanted  Verdict of each row that gates.
 * @property {Record<string, string>} base  Text by path.
 * @property {Record<string, string>} head
 * @property {string[]} options
 */

const QUEUES = ['binary-heap', 'quaternary-heap', 'hierarchical-wheel', 'lazy-wheel']
const SCENARIOS = 'refresh-one-duration,staggered-expiry,start-cancel'
const TURNS = 400
const BENCHMARK = `import { Bench } from 'tinybench'
import { mix } from './mix.js'
const bench = new Bench()
bench.add('mix', () => mix(${TURNS}))
await bench.run()
`

/** @type {Case[]} */
const same = VARIANTS.slice(1).flatMap((names, i) =>
  QUEUES.map(queue => {
    const file = `queues/${queue}.js`
    const source = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
    return {
      kind: 'same',
      name: `${queue}: ${names.join(', ')}`,
      wanted: 'pass',
      base: { [file]: source },
      head: { [file]: edit(source, i + 1) },
      options: ['--queue', `./${file}`, '--scenario', SCENARIOS, '--budget', '2m']
    }
  })
)

/** @type {Case[]} */
const slower = [5, 10, 25].map(percent => ({
  kind: `${percent} % slower`,
  name: 'a loop',
  wanted: 'regression',
  base: { 'mix.js': mixOf(0), 'mix.bench.js': BENCHMARK },
  head: { 'mix.js': mixOf(percent) },
  options: ['--scenario', './mix.bench.js', '--budget', '2m']
}))

export const cases = [...same, ...slower]

/** @param {number} percent  Additional turns. */
function mixOf (percent) {
  return `export function mix (turns) {
  let hash = 1
  for (let i = 0; i < turns * ${1 + percent / 100}; i++) hash = (Math.imul(hash, 0x85ebca6b) + i) | 0
  return hash
}
`
}
