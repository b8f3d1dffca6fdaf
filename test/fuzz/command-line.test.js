/** Random command lines that are wrong in some way: none starts a measurement, and none crashes timerq. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import fc from 'fast-check'
import { main } from '../../bin/main.js'
import { SEED } from './fuzz.js'

const words = [
  ...`--json --format pdf html --base --out --queue binary-heap a,b --scenario --size 10k -1 --seed 0x1 --rounds 0
    --margin 5% --trace /dev/null / . .. --sweep __proto__=1 constructor=1 --runtime --preset ci
    --shard 1/0 -- --no-color --verbose= --with --only Z9 --junit --resume --$0 --_ = --= - --__proto__
    --constructor=x`.split(/\s+/),
  '\u001b[2J',
  'a\nb',
  ''
]
/** The last word makes each of these end before anything is measured or written. */
const wrong = {
  list: '--nonsense',
  report: 'no-such-directory',
  compare: 'no-such-directory',
  run: '--rounds=x',
  gate: '--budget=x',
  profile: '--seconds=x',
  recommend: '--rounds=x',
  reproduce: '--rounds=x',
  merge: '--nonsense',
  check: '--seed=x',
  nothing: '--nonsense'
}

const commandLines = fc
  .tuple(
    fc.constantFrom(...Object.keys(wrong)),
    fc.array(fc.oneof(fc.constantFrom(...words), fc.string({ maxLength: 8 })), { maxLength: 6 })
  )
  .map(([command, more]) => [
    command,
    ...more.filter(word => !/^--(help|version)|^-[hv]/.test(word)),
    wrong[/** @type {keyof typeof wrong} */ (command)]
  ])

/** @param {string[]} args */
async function runLine (args) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const code = await main(args, { stdout, stderr })
  return { code, stderr: String(stderr.read() ?? '') }
}

test('a wrong command line ends with exit code 2 or 4 and no stack trace', async t => {
  t.diagnostic(`repeat with TIMERQ_FUZZ_SEED=${SEED}`)
  await fc.assert(
    fc.asyncProperty(commandLines, async args => {
      const { code, stderr } = await runLine(args)
      assert.ok([2, 4].includes(code), `exit code ${code}: ${stderr}`)
      assert.doesNotMatch(stderr, /\n {4}at |Error:.*\n.*\.js:\d+|[^\P{Cc}\n]/u)
    }),
    { seed: SEED, numRuns: 100 }
  )
})
