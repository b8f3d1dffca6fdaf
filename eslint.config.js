import neostandard from 'neostandard'

/**
 * Imports point one way only (see "The house" in CONTRIBUTING.md):
 *
 *   everything -> harness/model, which imports nothing; rooms of harness -> those in ROOMS; bin -> reports, and harness
 *   by its door; reports -> harness/model alone; harness -> no queue, scenario, report or command; subject/ -> timers;
 *   timers, scenarios and queues -> nothing outside their own folder. Folders named subject/ run inside
 *   measured processes; nothing else imports from them. import() is held to the same.
 */
const forbidImports = (folder, rules, more = []) => ({
  files: [`${folder}/**/*.js`],
  rules: {
    'no-restricted-imports': ['error', { patterns: rules }],
    // The rule above sees only declarations.
    'no-restricted-syntax': ['error', ...rules.map(forbidLateImport), ...more]
  }
})

const forbidLateImport = ({ regex, message }) => ({
  selector: `ImportExpression > Literal[value=/${regex.replaceAll('/', '\\/')}/]`,
  message
})

const BY_NAME = [
  {
    selector: 'ImportExpression[source.type!="Literal"]',
    message: 'Only subject/ imports a module that is not known by name.'
  }
]

const LINES = { code: 120, ignoreUrls: true }

const outside = (...folders) => `(^|/)(${folders.join('|')})/`

/** Rooms of the harness, each with the rooms that it may import. */
const ROOMS = {
  model: [],
  plan: ['model'],
  judge: ['model', 'plan'],
  store: ['model', 'plan'],
  processes: ['model', 'store'],
  trace: ['model', 'judge', 'processes', 'store', 'run'],
  formats: ['model', 'processes'],
  subject: ['model', 'processes', 'store', 'formats'],
  measure: ['model', 'processes', 'store', 'formats'],
  conformance: ['model', 'processes', 'measure'],
  run: ['model', 'plan', 'judge', 'store', 'processes', 'measure', 'conformance'],
  profile: ['model', 'plan', 'store', 'processes', 'measure', 'run'],
  gate: ['model', 'plan', 'judge', 'store', 'processes', 'formats', 'measure', 'run', 'conformance'],
  // Some claims are about shares of profiles.
  reproduce: ['model', 'plan', 'judge', 'store', 'processes', 'measure', 'run', 'profile']
}
/** Rooms that touch no file and no process. */
const PURE = ['model', 'plan', 'judge']
/** Rooms with a folder `subject/` of their own: it runs inside measured processes, as harness/subject does. */
const WITH_SUBJECT = ['conformance', 'profile', 'trace']

const NOTHING_BY_NAME = {
  regex: outside('bin', 'queues', 'scenarios', 'reports'),
  message: 'The harness receives queues and scenarios by URL and knows no report.'
}

/**
 * @param {string} room
 * @param {string[]} known
 */
function rulesOf (room, known) {
  const others = Object.keys(ROOMS).filter(other => other !== room && !known.includes(other))
  return [
    NOTHING_BY_NAME,
    {
      regex: `^(\\.\\./)+((${others.join('|')})/|index\\.js$)`,
      message: `harness/${room} knows of the harness: ${known.join(', ') || 'nothing'}.`
    },
    ...(room === 'subject'
      ? []
      : [
          {
            regex: '(^|/)subject/',
            message: 'The measuring process starts modules of subject/ by URL: they run beside code of a stranger.'
          },
          { regex: outside('timers'), message: 'Only a measured process puts timers under a server.' }
        ]),
    ...(PURE.includes(room) ? [{ regex: '^node:', message: `harness/${room} is pure.` }] : []),
    ...(room === 'model'
      ? [{ regex: '^(?!\\./|pure-rand/)', message: 'The vocabulary imports nothing: all rooms stand on it.' }]
      : [])
  ]
}

export default [
  { ignores: ['node_modules/', 'results/', 'coverage/', 'timers/dist/', '.stryker-tmp/', 'docs/example/'] },
  ...neostandard({ noJsx: true }),
  { files: ['**/*.js'], rules: { '@stylistic/max-len': ['error', LINES] } },
  // A pattern, or a program in a template, is what it is.
  {
    files: ['test/**', '**/*.test.js'],
    rules: { '@stylistic/max-len': ['error', { ...LINES, ignoreRegExpLiterals: true, ignoreTemplateLiterals: true }] }
  },
  forbidImports('queues', [
    { regex: '^node:', message: 'A queue is pure ECMAScript: no Node built-ins.' },
    {
      regex: outside('bin', 'scenarios', 'harness', 'reports', 'timers'),
      message: 'A queue imports nothing outside queues/.'
    }
  ]),
  forbidImports('scenarios', [
    { regex: '^node:', message: 'A scenario describes; the harness does: it gets what it needs as arguments.' },
    {
      regex: outside('bin', 'queues', 'harness', 'reports', 'timers'),
      message: 'A scenario imports nothing outside scenarios/.'
    }
  ]),
  forbidImports('timers', [
    {
      regex: outside('bin', 'queues', 'scenarios', 'harness', 'reports'),
      message: 'timers/ is a package of its own: it imports Node built-ins only.'
    },
    { regex: '^(?!\\.|node:)', message: 'timers/ has no dependencies.' }
  ]),
  forbidImports('bin', [
    {
      regex: '/harness/(?!index\\.js$|model/|processes/open-files\\.js$|profile/tools\\.js$)',
      message: 'bin imports harness/index.js, harness/model, processes/open-files.js and profile/tools.js alone.'
    }
  ]),
  forbidImports('harness', [NOTHING_BY_NAME], BY_NAME),
  ...Object.entries(ROOMS).map(([room, known]) =>
    forbidImports(`harness/${room}`, rulesOf(room, known), room === 'subject' ? [] : BY_NAME)
  ),
  // harness/subject imports it, so it knows no more than its room.
  forbidImports('harness/formats/subject', rulesOf('formats', ROOMS.formats)),
  ...WITH_SUBJECT.map(room => forbidImports(`harness/${room}/subject`, rulesOf('subject', [...ROOMS.subject, room]))),
  forbidImports('reports', [
    { regex: outside('bin', 'queues', 'scenarios'), message: 'A report gets results as arguments.' },
    {
      regex: '/harness/(?!model/)',
      message: 'A report gets results as arguments; harness/model is the vocabulary that all share.'
    }
  ])
]
