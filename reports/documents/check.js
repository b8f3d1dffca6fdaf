/**
 * What `timerq check` found, for people: a line a clause, and under a broken one how to see it.
 *
 * @typedef {object} CheckedQueue  As in timerq-check/1.
 * @property {string} queue
 * @property {boolean} holds
 * @property {{tried: number, planned: number} | null} sequences
 * @property {{clause: string, sentence: string, holds: boolean, counterexample: string | null}[]} clauses
 *
 * @typedef {ReturnType<typeof import('picocolors').createColors>} Style
 */

/**
 * @param {CheckedQueue} checked
 * @param {Style} style
 */
export function renderCheckedQueue ({ queue, clauses, sequences }, style) {
  const lines = clauses.flatMap(({ sentence, holds, counterexample }) => [
    `  ${holds ? style.green('holds ') : style.red('broken')}  ${sentence}`,
    ...counterexample === null ? [] : ['', ...counterexample.split('\n').map(line => line && `          ${line}`), '']
  ])
  return [style.bold(queue), ...lines, ...renderUntried(clauses, sequences), ''].map(line => `${line}\n`).join('')
}

/**
 * @param {CheckedQueue['clauses']} clauses
 * @param {CheckedQueue['sequences']} sequences
 */
function renderUntried (clauses, sequences) {
  if (sequences === null || sequences.tried === sequences.planned) return []
  const isEndless = clauses.some(({ clause, holds }) => clause === 'returns' && !holds)
  const why = isEndless ? 'until an operation did not return' : 'for this queue is slow'
  return [`  tried ${sequences.tried} of ${sequences.planned} sequences, ${why}`]
}

/** @param {CheckedQueue[]} checked */
export function renderCheckSummary (checked) {
  const broken = checked.filter(({ holds }) => !holds)
  const kept = checked.length - broken.length
  const names = broken.map(({ queue, clauses }) => `${queue} (${clauses.filter(({ holds }) => !holds).length})`)
  return `${kept} of ${checked.length} ${checked.length === 1 ? 'queue' : 'queues'} kept the contract` +
    `${broken.length > 0 ? `; clauses broken by ${names.join(', ')}` : ''}\n`
}
