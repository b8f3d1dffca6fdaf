/**
 * Formats of reports, a line each: options, endings and commands are made from these lists, and a format without its
 * line is not offered. Files are loaded when they are needed.
 */

/**
 * @import { ComparisonRecord, Summary } from '../harness/judge/records.js'
 * @import { Document } from './blocks.js'
 *
 * @typedef {{document: () => Document, summary: Summary}} Report
 *
 * @typedef {object} Format  Format of the report of a run.
 * @property {string} [ending]  Ending of a file that is written in it.
 * @property {boolean} [isDocument]  Holds the whole report, not the summary only. A run leaves the first of these.
 * @property {boolean} [isJson]  As every command prints it for --json.
 * @property {() => Promise<Renderer>} [load]  Missing: as every command prints it.
 *
 * @typedef {object} Renderer
 * @property {(report: Report, pictures?: string) => string} render  `pictures`: folder of its pictures.
 * @property {(document: Document) => {name: string, text: string}[]} [picturesOf]  Files of that folder.
 *
 * @typedef {object} GateReport
 * @property {string} [describe]  Sentence in help about the option of its name, whose file a gate writes.
 * @property {string} [variable]  Environment variable by which GitHub asks for it. A self-check compares no change, and
 *   sends none.
 * @property {boolean} [isFile]  The variable names a file, to which it is appended.
 * @property {() => Promise<{render: (record: ComparisonRecord, files: Map<string, string>) => string}>} load `files`:
 *   by queue and scenario.
 */

/**
 * The first is shown where none is chosen.
 *
 * @type {Record<string, Format>}
 */
export const formats = {
  terminal: { ending: '.txt' },
  markdown: { ending: '.md', isDocument: true, load: () => import('./render/exports/markdown.js') },
  html: { ending: '.html', isDocument: true, load: () => import('./render/page/page.js') },
  json: { ending: '.json', isJson: true },
  csv: { ending: '.csv', load: () => import('./render/exports/csv.js') },
  'benchmark-action': { load: () => import('./render/exports/benchmark-action.js') },
  bencher: { load: () => import('./render/exports/bencher.js') }
}

/**
 * Reports of a gate alone: files that it writes, and messages to GitHub.
 *
 * @type {Record<string, GateReport>}
 */
export const gateReports = {
  junit: { describe: 'JUnit XML file to write', load: () => import('./render/gate/junit.js') },
  comment: {
    describe: 'Markdown file to write, for a comment on a pull request',
    load: () => import('./render/gate/comment.js')
  },
  annotations: { variable: 'GITHUB_ACTIONS', load: () => import('./render/gate/annotations.js') },
  'job-summary': {
    variable: 'GITHUB_STEP_SUMMARY',
    isFile: true,
    load: () => import('./render/gate/job-summary.js')
  }
}
