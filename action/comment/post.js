/**
 * Posts the comment that a gate has saved, or edits the earlier one. This workflow (workflow_run) may write to pull
 * requests; the workflow that wrote the folder may not, so everything in the folder is treated as an attacker's.
 *
 *   number          must name an open pull request whose head is the commit and the repository of the event
 *   text            is cut to size and loses its links, mentions, references and HTML
 *   anything else   comes from the event, which GitHub wrote
 */
import { closeSync, lstatSync, openSync, readFileSync, readSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

/** Marks the action's own comment. GitHub does not show the mark. */
export const MARKER = '<!-- timerq gate -->'
/** Author of comments that are written with a workflow's own token. */
const AUTHOR = 'github-actions[bot]'
/** GitHub accepts 65 536 characters. */
const MOST_CHARACTERS = 60_000
/** Enough for MOST_CHARACTERS of four bytes, and for any number. */
const MOST_BYTES = 4 * MOST_CHARACTERS
const PER_PAGE = 100
const MOST_PAGES = 50
/** Invisible; keeps its neighbours apart. */
const APART = '\u200b'

/**
 * @param {object} options
 * @param {string} options.folder  Holds comment.md and pull-request.
 * @param {any} options.event  A workflow_run event.
 * @param {string} options.repository  owner/name
 * @param {(method: string, path: string, body?: object) => Promise<any>} options.request  Calls GitHub's API.
 * @returns {Promise<string>} the outcome, for the log
 */
export async function post ({ folder, event, repository, request }) {
  const run = event.workflow_run
  if (run?.event !== 'pull_request') return 'not posted: the workflow did not run for a pull request'
  const [text, given] = ['comment.md', 'pull-request'].map(name => readAtMost(path.join(folder, name), MOST_BYTES))
  if (text === null || given === null) return 'not posted: the workflow saved no comment'
  if (!/^[1-9]\d{0,9}\n?$/.test(given)) return 'not posted: the saved pull-request is not the number of one'
  const number = Number(given)
  const pull = await request('GET', `/repos/${repository}/pulls/${number}`)
  if (!isOf(pull, run)) {
    return `not posted: pull request ${number} is not open, or its head is not the commit that was measured`
  }

  const body = `${MARKER}\n${defuse(text)}\n\nMeasured at ${run.head_sha.slice(0, 10)}: [details](${run.html_url})\n`
  const earlier = await findComment(request, `/repos/${repository}/issues/${number}/comments`)
  if (earlier === undefined) await request('POST', `/repos/${repository}/issues/${number}/comments`, { body })
  else await request('PATCH', `/repos/${repository}/issues/comments/${earlier}`, { body })
  return `${earlier === undefined ? 'posted' : 'edited'} on pull request ${number}`
}

/**
 * A later run measures a pull request that has moved on, and posts the comment to keep.
 *
 * @param {any} pull
 * @param {any} run
 */
function isOf ({ state, head }, run) {
  return state === 'open' && head.sha === run.head_sha && head.repo !== null && head.repo.id === run.head_repository?.id
}

/**
 * Makes markdown from a stranger harmless in a comment that carries a bot's name.
 *
 * @param {string} text
 */
export function defuse (text) {
  return (
    text
      .slice(0, MOST_CHARACTERS)
      // Control characters, and marks that turn the direction of text.
      .replaceAll(/(?!\n)[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, ' ')
      // A reference to a character would bring back a character that the next lines take away.
      .replaceAll(/&(?!(?:amp|lt|gt|quot|#8203);)/g, '&amp;')
      .replaceAll(/<(?!\/?(?:details|summary)>)/g, '&lt;')
      .replaceAll(/\](?=[([:])/g, `]${APART}`)
      .replaceAll('://', `:${APART}//`)
      .replaceAll(/www\./gi, match => `${match.slice(0, -1)}${APART}.`)
      .replaceAll(/(@|(?<!&)#)(?=\w)/g, `$1${APART}`)
      // The inserted characters have made the text longer.
      .slice(0, MOST_CHARACTERS)
      .trimEnd()
  )
}

/**
 * @param {string} file
 * @param {number} bytes
 * @returns {string | null} null: there is no such file
 */
function readAtMost (file, bytes) {
  if (!lstatSync(file, { throwIfNoEntry: false })?.isFile()) return null
  const descriptor = openSync(file, 'r')
  try {
    const buffer = Buffer.alloc(bytes)
    return buffer.toString('utf8', 0, readSync(descriptor, buffer))
  } finally {
    closeSync(descriptor)
  }
}

/**
 * @param {(method: string, path: string) => Promise<any>} request
 * @param {string} comments  Path.
 * @returns {Promise<number | undefined>} the id of the action's own comment
 */
async function findComment (request, comments) {
  for (let page = 1; page <= MOST_PAGES; page++) {
    const found = await request('GET', `${comments}?per_page=${PER_PAGE}&page=${page}`)
    const own = found.find((/** @type {any} */ { user, body }) => user?.login === AUTHOR && body?.startsWith(MARKER))
    if (own) return own.id
    if (found.length < PER_PAGE) return undefined
  }
}

/**
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 */
async function callGitHub (method, path, body) {
  const response = await fetch(`${process.env.GITHUB_API_URL}${path}`, {
    method,
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${process.env.GITHUB_TOKEN}`,
      'user-agent': 'timerq',
      'x-github-api-version': '2022-11-28'
    },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(30_000)
  })
  const answer = await response.text()
  if (!response.ok) {
    throw new Error(
      `${method} ${path} answered ${response.status} ` +
        `(does the workflow have permissions: pull-requests: write?): ${answer.slice(0, 300)}`
    )
  }
  return JSON.parse(answer)
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    console.log(
      'timerq: ' +
        (await post({
          folder: process.argv[2],
          event: JSON.parse(readFileSync(String(process.env.GITHUB_EVENT_PATH), 'utf8')),
          repository: String(process.env.GITHUB_REPOSITORY),
          request: callGitHub
        }))
    )
  } catch (error) {
    console.error(`timerq: the comment was not posted: ${/** @type {Error} */ (error).message}`)
    process.exitCode = 1
  }
}
