#!/usr/bin/env node
/**
 * `node lab/rewrites.js [budget]`: the trap for gates that believe counts. Each pair does the same by built-ins, which
 * execute no blocks, and by hand. By hand it is faster with more blocks; the other way round it is slower with fewer.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** @type {Record<'name' | 'input' | 'builtIns' | 'byHand', string>[]} by the number of the input, i */
const PAIRS = JSON.parse(readFileSync(new URL('./rewrites.json', import.meta.url), 'utf8'))
const TIMERQ = path.resolve(import.meta.dirname, '../bin/timerq.js')
const BENCH = `import { Bench } from 'tinybench'
import * as lib from './lib.js'
const bench = new Bench()
${PAIRS.map(({ name, input }) => `{
  const inputs = Array.from({ length: 16 }, (_, i) => ${input})
  bench.add('${name}', () => { let last; for (const input of inputs) last = lib.${name}(input); return last })
}`).join('\n')}
await bench.run()
`

/** @param {'builtIns' | 'byHand'} version */
const library = version => PAIRS.map(pair => `export const ${pair.name} = ${pair[version]}`).join('\n')

/**
 * @param {'faster' | 'slower'} change
 * @param {string} budget
 */
function gate (change, budget) {
  const cwd = mkdtempSync(path.join(tmpdir(), 'rewrites-'))
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync('git', ['-c', 'user.name=lab', '-c', 'user.email=lab@localhost', ...args], { cwd, stdio: 'ignore' })
  const versions = /** @type {const} */ (['builtIns', 'byHand'])
  git('init')
  writeFileSync(path.join(cwd, 'package.json'), '{ "type": "module" }')
  writeFileSync(path.join(cwd, 'a.bench.js'), BENCH)
  for (const version of change === 'faster' ? versions : versions.toReversed()) {
    writeFileSync(path.join(cwd, 'lib.js'), library(version))
    git('add', '.')
    git('commit', '-m', version)
  }
  const words = ['gate', '--base', 'HEAD~1', '--scenario', './a.bench.js', '--budget', budget, '--json']
  const { stdout, stderr } = spawnSync(process.execPath, [TIMERQ, ...words], { cwd, encoding: 'utf8' })
  if (stdout === '') throw new Error(stderr)
  /** @type {import('../harness/judge/compare.js').ComparisonRecord} */
  const { comparisons } = JSON.parse(stdout)
  for (const { name } of PAIRS) {
    const rows = comparisons.filter(({ queue }) => queue === name)
    const time = rows.find(({ metric }) => metric === 'nsPerOp')
    const work = rows.find(({ metric }) => metric === 'workPerOp')
    const verdicts = rows.filter(({ gates }) => gates).map(({ verdict }) => verdict)
    const right = change === 'slower' ? verdicts.includes('regression') : verdicts.every(verdict => verdict === 'pass')
    const isOpen = !verdicts.includes('regression') && verdicts.includes('inconclusive')
    const figures = [time?.ratio?.toFixed(3), work?.ratio?.toFixed(2)].join(' of the time, work ')
    process.stdout.write(`${right ? 'right' : isOpen ? 'unclear' : 'wrong'}: ${name}, ${change}: ${figures}\n`)
  }
}

for (const change of /** @type {const} */ (['faster', 'slower'])) gate(change, process.argv[2] ?? '5m')
