/** The document of a program's profile. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import picocolors from 'picocolors'
import { programProfileDocument } from '../../../reports/documents/program-profile.js'
import { renderTerminal } from '../../../reports/render/terminal.js'

const MEASURED = {
  name: '7',
  program: ['app.js'],
  cpuSeconds: 2,
  seconds: 3,
  timersShare: 0.2,
  fidelity: { known: 0.01, error: 0 },
  warnings: [],
  heavy: { javascript: [], native: [] }
}

/** @param {object} figures */
function answerOn (figures) {
  const measured = { ...MEASURED, ...figures }
  return renderTerminal(
    programProfileDocument(/** @type {any} */ ([measured]), ['node', 'app.js']),
    picocolors.createColors(false)
  )
    .trim()
    .split('\n\n')[0]
}

const NEXT =
  '\nNext: timerq profile -- node app.js   (and while it runs, for a server: npx autocannon -d 20 ' +
    'http://127.0.0.1:PORT)'

test('a share of too few ticks is no answer', () => {
  assert.equal(
    answerOn({ ticks: 6, timersShare: 0 }),
    `Too short to tell: 6 ticks. Run it longer, or under load.${NEXT}`
  )
  assert.equal(answerOn({ ticks: 1 }), `Too short to tell: 1 tick. Run it longer, or under load.${NEXT}`)
  assert.match(
    answerOn({ ticks: 100 }),
    /^Timers take 20\.0 % of the CPU of app\.js \(7\) \(0\.400 of 2 s\)\.\s+That is 13\.3 % of a core, since the program used 66\.7 % of one; [^.]*\.\s+To see the savings by another queue: timerq record/
  )
})

test('the heaviest functions are those of the program, not the function of known cost', () => {
  const row = (/** @type {string} */ name, /** @type {string} */ url) => ({
    name,
    url,
    line: 1,
    ticks: 50,
    share: 0.5,
    callers: []
  })
  const heavy = {
    javascript: [
      row('stayBusy', new URL('../../../harness/profile/subject/busy.js', import.meta.url).href),
      row('parse', 'file:///app.js')
    ],
    native: []
  }
  const {
    sections: [
      {
        blocks: [block]
      }
    ]
  } = programProfileDocument(/** @type {any} */ ([{ ...MEASURED, ticks: 100, heavy }]), ['node', 'app.js'])
  assert.ok(block.kind === 'code')
  assert.match(block.text, /parse/)
  assert.doesNotMatch(block.text, /stayBusy/)
})
