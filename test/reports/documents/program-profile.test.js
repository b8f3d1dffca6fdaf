import { test } from 'node:test'
import assert from 'node:assert/strict'
import picocolors from 'picocolors'
import { programProfileDocument } from '../../../reports/documents/program-profile.js'
import { renderTerminal } from '../../../reports/render/terminal.js'

/** @param {object} figures */
function answerOn (figures) {
  const measured = { name: '7', program: ['app.js'], cpuSeconds: 2, seconds: 3, timersShare: 0.2, fidelity: { known: 0.01, error: 0 }, warnings: [], heavy: { javascript: [], native: [] }, ...figures }
  return renderTerminal(programProfileDocument(/** @type {any} */ ([measured]), ['node', 'app.js']), picocolors.createColors(false)).trim().split('\n\n')[0]
}

test('a share of too few ticks is no answer', () => {
  assert.equal(answerOn({ ticks: 6, timersShare: 0 }), 'Too short to tell: 6 ticks. Run it longer, or under load.')
  assert.equal(answerOn({ ticks: 1 }), 'Too short to tell: 1 tick. Run it longer, or under load.')
  assert.match(answerOn({ ticks: 100 }), /^Timers take 20\.0 % of the CPU of app\.js \(7\) \(0\.400 of 2 s\)\.\s+That is 13\.3 % of a core, since the program used 66\.7 % of one; [^.]*\.\s+To see the savings by another queue: timerq record/)
})
