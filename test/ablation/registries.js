/**
 * Registries of timerq: lists in which a line makes a feature present. Each says which entries it has, which files an
 * entry owns, and where the line stands.
 *
 * @typedef {object} Registry
 * @property {string} kind  Kind of its entries, in the singular.
 * @property {string} file  File with the list.
 * @property {string[]} names  Entries.
 * @property {string} [within]  Variable that holds the list, where the file has others.
 * @property {(name: string) => string[]} filesOf  Files and folders of an entry, which go with it.
 * @property {(name: string) => {file: string, name: string, within?: string}[]} [linesOf]  Its lines elsewhere.
 * @property {RegExp} [known]  Files in which a name in quotes is an entry. Elsewhere it is another word. Missing: all.
 */
import { purposes } from '../../bin/commands/index.js'
import { options } from '../../bin/request/options.js'
import { FORMATS } from '../../harness/formats/registry.js'
import { INSTRUMENTS } from '../../harness/measure/instruments.js'
import { metrics } from '../../harness/model/metrics.js'
import { queues } from '../../queues/index.js'
import { heaps } from '../../queues/peers/heaps.js'
import { documents } from '../../scenarios/claims/index.js'
import { formats, gateReports } from '../../reports/formats.js'
import { scenarios } from '../../scenarios/index.js'

/** @param {'own' | 'peer' | 'built-in'} wanted */
const queuesOf = wanted => queues.filter(({ origin }) => origin === wanted).map(({ name }) => name)

const inKebabCase = (/** @type {string} */ name) =>
  name.replace(/[A-Z]|\d+/g, part => `-${part.toLowerCase()}`).replace('versus', 'vs')

/**
 * Modules of an instrument inside measured processes. Those of servers are theirs.
 *
 * @type {Record<string, string[]>}
 */
const subjectsOf = {
  'executed work': ['count/count-queue.js', 'count/count-code.js'],
  allocations: ['count/allocations.js'],
  weight: ['count/weigh.js'],
  'slowest calls': ['micro/call-times.js']
}

/** @param {string} name  Room of the harness. */
const doorOf = name => ({ file: 'harness/index.js', name, within: 'rooms' })
/** @param {string} name  Question, whose answer `timerq report` gives again. */
const answerOf = name => ({ file: 'bin/answers/index.js', name, within: 'answers' })

/**
 * Rooms: files, folders and lines that only one entry needs, beside its own file.
 *
 * @type {Record<string, {files: string[], lines?: {file: string, name: string, within?: string}[]}>}
 */
const rooms = {
  'queue ordered-map': { files: ['queues/parts/b-plus-tree.js'] },
  'format markdown': { files: ['reports/charts/index.js', 'reports/render/pictures.js'] },
  'format html': {
    files: ['reports/charts/echarts.js', 'reports/render/page', 'reports/render/script.js']
  },
  'command run': {
    files: [
      'bin/sketch.js',
      'reports/documents/sketch.js',
      'harness/run/sketch.js',
      'harness/subject/micro/bench-queues.js',
      'harness/subject/micro/sketch.js'
    ],
    lines: [doorOf('sketch')]
  },
  'command reproduce': {
    files: [
      'bin/answers/reproduce.js',
      'bin/findings.js',
      'harness/reproduce',
      'reports/documents/reproduction.js',
      'scenarios/claims'
    ],
    lines: [
      doorOf('reproduce'),
      answerOf('reproduce'),
      { file: 'harness/store/json.js', name: 'reproduce', within: 'PARTS' }
    ]
  },
  'command recommend': {
    files: [
      'bin/answers/recommend.js',
      'harness/trace/hopeless.js',
      'harness/trace/recommend.js',
      'reports/answers/recommendation.js',
      'reports/documents/recommendation.js'
    ],
    lines: [doorOf('recommend'), answerOf('recommend')]
  },
  'command profile': {
    files: ['bin/answers/profile.js', 'reports/documents/program-profile.js'],
    lines: [answerOf('profile')]
  },
  // It starts a gate again.
  'command gate': {
    files: ['bin/commands/confirm.js', 'bin/answers/gate.js'],
    lines: [{ file: 'bin/commands/index.js', name: 'confirm' }, answerOf('gate')]
  },
  'command new': { files: ['bin/templates'] },
  'command check': { files: ['reports/documents/check.js'] },
  'command merge': {
    files: ['harness/store/merge.js'],
    lines: [doorOf('merge')]
  }
}

/** @type {Record<string, {load?: object}>} */
const listedFormats = { ...formats, ...gateReports }

/** @type {Registry[]} */
const own = [
  {
    kind: 'queue',
    file: 'queues/index.js',
    names: queuesOf('own'),
    filesOf: name => [`queues/${name}.js`]
  },
  {
    kind: 'scenario',
    file: 'scenarios/index.js',
    names: scenarios.map(({ name }) => name),
    filesOf: name => [`scenarios/${name}.js`]
  },
  {
    kind: 'peer',
    file: 'queues/peers/heaps.js',
    names: Object.keys(heaps),
    filesOf: () => []
  },
  {
    kind: 'document of claims',
    file: 'scenarios/claims/index.js',
    names: documents.map(({ name }) => name),
    filesOf: name => [`scenarios/claims/${inKebabCase(name)}.js`]
  },
  {
    kind: 'format',
    file: 'reports/formats.js',
    names: Object.keys(listedFormats),
    filesOf: name => [...String(listedFormats[name].load ?? '').matchAll(/'\.\/(.+?)'/g)].map(([, file]) => `reports/${file}`),
    // There, json is an option.
    known: /^(?!bin\/commands\/index)/
  },
  {
    kind: 'benchmark files',
    file: 'harness/formats/registry.js',
    names: FORMATS.map(({ name }) => name),
    filesOf: name =>
      FORMATS.filter(own => own.name === name).map(({ shim, required }) => {
        const [, file] = /(harness\/formats\/subject\/(?:[\w-]+(?=\/)|[^/]+$))/.exec(String(shim ?? required)) ?? []
        return file
      })
  },
  {
    kind: 'instrument',
    file: 'harness/measure/instruments.js',
    names: INSTRUMENTS.map(({ name }) => name),
    filesOf: name => [
      `harness/measure/instruments/${name.replace(' ', '-')}.js`,
      ...(subjectsOf[name] ?? []).map(file => `harness/subject/${file}`)
    ]
  },
  {
    kind: 'command',
    file: 'bin/commands/index.js',
    names: purposes.flatMap(({ commands }) => commands.map(({ name }) => name)),
    filesOf: name => [`bin/commands/${name}.js`, `bin/commands/${name}`],
    // A sample is of kind 'profile', a block of kind 'list'; a row of options lists its commands.
    known: /^bin\/(?!request\/options)/
  },
  {
    kind: 'option',
    file: 'bin/request/options.js',
    within: 'sections',
    // A request lacks what it has no row for, and words of options are words of everything else.
    known: /^$/,
    names: options.map(({ name }) => name).filter(name => !(name in gateReports)),
    filesOf: () => []
  },
  {
    kind: 'metric',
    file: 'harness/model/metrics.js',
    within: 'entries',
    // Scenarios and instruments give it, and claims are about it.
    known: /^(harness\/(judge|gate|plan)|reports)\//,
    names: Object.keys(metrics),
    filesOf: () => []
  }
]

/** @type {Registry[]} */
export const registries = own.map(registry => ({
  ...registry,
  filesOf: name => [...registry.filesOf(name), ...(rooms[`${registry.kind} ${name}`]?.files ?? [])],
  linesOf: name => rooms[`${registry.kind} ${name}`]?.lines ?? []
}))
