/**
 * Registries of timerq: lists in which a line makes a feature present. Each says which entries it has, which files an
 * entry owns, and where the line stands.
 *
 * @typedef {object} Registry
 * @property {string} kind  Kind of its entries, in the singular.
 * @property {string} file  File with the list.
 * @property {string[]} names  Entries.
 * @property {(name: string) => string[]} filesOf  Files and folders of an entry, which go with it.
 * @property {RegExp} [known]  Files in which a name in quotes is an entry. Elsewhere it is another word. Missing: all.
 */
import { purposes } from '../../bin/commands/index.js'
import { FORMATS } from '../../harness/formats/registry.js'
import { INSTRUMENTS } from '../../harness/measure/instruments.js'
import { TOOLS } from '../../harness/profile/tools.js'
import { queues } from '../../queues/index.js'
import { heaps } from '../../queues/peers/heaps.js'
import { documents } from '../../scenarios/claims/index.js'
import { formats, gateFiles, gateLogs } from '../../reports/formats.js'
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

/** @type {Record<string, {load?: object}>} */
const listedFormats = { ...formats, ...gateFiles, ...gateLogs }

/** @type {Registry[]} */
export const registries = [
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
    kind: 'profiler',
    file: 'harness/profile/tools.js',
    // The profile of V8 is part of the core.
    names: TOOLS.map(({ name }) => name).filter(name => name !== 'cpu'),
    filesOf: name => [`harness/profile/tools/${name}.js`]
  },
  {
    kind: 'command',
    file: 'bin/commands/index.js',
    names: purposes.flatMap(({ commands }) => commands.map(({ name }) => name)),
    filesOf: name => [`bin/commands/${name}.js`, `bin/commands/${name}`],
    // A sample is of kind 'profile', a block of kind 'list'; a row of options lists its commands.
    known: /^bin\/(?!request\/options)/
  }
]
