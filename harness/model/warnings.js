/**
 * Kinds of warnings about samples. Programs decide by kind; title and text are for people, and may be reworded.
 *
 * @typedef {'different-outcomes' | 'empty-loop' | 'empty-phase' | 'put-off' | 'remembered' | 'growing'} AboutWork
 *
 * @typedef {'not-steady' | 'not-exact' | 'slow-to-load'} AboutFigures
 *
 * @typedef {'few-connections' | 'failed-requests' | 'timers-left' | 'other-answers'} AboutLoad
 *
 * @typedef {'other-port' | 'other-node'} AboutPrograms
 *
 * @typedef {'shared-core' | 'measured-again' | 'wrong-profile' | 'lost' | 'uncounted'} AboutMeasuring
 *
 * @typedef {AboutWork | AboutFigures | AboutLoad | AboutPrograms | AboutMeasuring} WarningKind
 *
 * @typedef {{kind: WarningKind, text: string}} Warning
 *
 * @typedef {object} KindOfWarning
 * @property {string} title  Beginning of such a warning, and heading of several.
 * @property {'either' | 'head'} [doubts]  Side that makes a gain doubtful by such a warning, since nothing shows that
 *   it did the same work: either of them, or a head whose base has no such warning.
 * @property {boolean} [isTold]  Terminals say it, too, although it makes no figure doubtful.
 */

/** @type {Readonly<Record<WarningKind, KindOfWarning>>} */
export const warningKinds = {
  'different-outcomes': { title: 'different outcomes', doubts: 'either' },
  'empty-loop': { title: 'as cheap as an empty loop', doubts: 'either' },
  'empty-phase': { title: 'a phase as cheap as an empty loop', doubts: 'either' },
  'put-off': { title: 'work outside of its turns', doubts: 'either' },
  remembered: { title: 'remembers its inputs', doubts: 'head' },
  'not-steady': { title: 'not steady' },
  growing: { title: 'slower from call to call', doubts: 'either' },
  'not-exact': { title: 'not counted exactly', isTold: true },
  'slow-to-load': { title: 'slow to load', isTold: true },
  'shared-core': { title: 'shared core' },
  'few-connections': { title: 'too few connections' },
  'failed-requests': { title: 'failed requests' },
  'timers-left': { title: 'timers left pending' },
  'other-answers': { title: 'answers other than 2xx' },
  'other-port': { title: 'one of several ports' },
  'other-node': { title: 'another Node' },
  'measured-again': { title: 'measured again' },
  'wrong-profile': { title: 'the profile cannot be trusted' },
  lost: { title: 'a sample was lost' },
  uncounted: { title: 'work not counted' }
}

/** @param {string} kind */
export const isWarningKind = kind => Object.hasOwn(warningKinds, kind)

/** @param {Warning} warning */
export const describeWarning = ({ kind, text }) => `${warningKinds[kind].title}: ${text}`

/**
 * The time of removed work is no figure: it ranks nothing, and has no ratio.
 *
 * @param {{warnings: Warning[]}} cell
 */
export const isNothing = cell => hasWarning(cell, 'empty-loop')

/**
 * @param {{warnings: Warning[]}} sample  Sample, or summary of a cell.
 * @param {WarningKind} kind
 */
export const hasWarning = ({ warnings }, kind) => warnings.some(warning => warning.kind === kind)
