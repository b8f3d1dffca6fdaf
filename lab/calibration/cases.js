/**
 * Changes whose verdict is known. Each is the base and the head of some files, and the options of the gate.
 *
 *   same     queues after edits that change nothing (edits.js)
 *   slower   a loop with 5, 10 and 25 % more turns
 *   by hand  twenty functions by hand in place of built-ins: faster, with more blocks; and the other way round
 *   drawn    a comment in code whose benchmark draws its data when it is loaded, by Math.random and what no flag seeds
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

const DRAWS = {
  data: 'Array.from({ length: 500 }, Math.random)',
  size: 'Array.from({ length: 2 + Math.floor(60 * Math.random()) }, Math.random)',
  order: 'Array.from({ length: 300 }, (_, i) => i).sort(() => Math.random() - 0.5)',
  few: 'Array.from({ length: 500 }, () => Math.floor(3 * Math.random()))',
  bytes: '[...randomBytes(500)]',
  'size by crypto': 'Array(randomInt(2, 60)).fill(1)',
  identifiers: 'Array.from({ length: 100 }, () => parseInt(randomUUID(), 16))',
  dates: 'Array.from({ length: 200 }, (_, i) => Number(new Date()) + i)',
  'size by the clock': 'Array(2 + (Date.now() % 60)).fill(1)',
  'size by the process': 'Array(2 + (process.pid % 60)).fill(1)'
}
const DRAWN = `export function sum (xs) {
  let sum = 0
  for (const x of xs) sum += x > 0.5 ? x : 1
  return sum
}
export const sort = xs => [...xs].sort((a, b) => a - b)
export const index = xs => new Map(xs.map(x => [String(x), x]))
`

/** @type {Case[]} */
const drawn = Object.entries(DRAWS).map(([name, draw]) => ({
  kind: 'drawn',
  name,
  wanted: 'pass',
  base: {
    'drawn.js': DRAWN,
    'drawn.bench.js': `import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { Bench } from 'tinybench'
import { index, sort, sum } from './drawn.js'
const xs = ${draw}
const bench = new Bench()
bench.add('sum', () => sum(xs))
bench.add('sort', () => sort(xs))
bench.add('index', () => index(xs))
await bench.run()
`
  },
  head: { 'drawn.js': `${DRAWN}// a comment\n` },
  options: ['--scenario', './drawn.bench.js', '--budget', '2m']
}))

/** @type {Record<'name' | 'input' | 'builtIns' | 'byHand', string>[]} by the number of the input, i */
const REWRITES = JSON.parse(readFileSync(new URL('./rewrites.json', import.meta.url), 'utf8'))
const TASKS = REWRITES.map(
  ({ name, input }) => `const ${name} = Array.from({ length: 16 }, (_, i) => ${input})
bench.add('${name}', () => { let last; for (const input of ${name}) last = lib.${name}(input); return last })`
)

/** @type {Case[]} */
const rewritten = [true, false].map(isFaster => {
  const [base, head] = /** @type {const} */ (['builtIns', 'byHand']).map(version =>
    REWRITES.map(functions => `export const ${functions.name} = ${functions[version]}\n`).join('')
  )
  return {
    kind: 'by hand',
    name: isFaster ? 'faster, more blocks' : 'slower, fewer blocks',
    wanted: isFaster ? 'pass' : 'regression',
    base: {
      'lib.js': isFaster ? base : head,
      'lib.bench.js': [
        "import { Bench } from 'tinybench'",
        "import * as lib from './lib.js'",
        'const bench = new Bench()',
        ...TASKS,
        'await bench.run()\n'
      ].join('\n')
    },
    head: { 'lib.js': isFaster ? head : base },
    options: ['--scenario', './lib.bench.js', '--budget', '10m']
  }
})

export const cases = [...same, ...slower, ...drawn, ...rewritten]

/** @param {number} percent  Additional turns. */
function mixOf (percent) {
  return `export function mix (turns) {
  let hash = 1
  for (let i = 0; i < turns * ${1 + percent / 100}; i++) hash = (Math.imul(hash, 0x85ebca6b) + i) | 0
  return hash
}
`
}
