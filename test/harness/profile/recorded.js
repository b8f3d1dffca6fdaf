/** Profiles to analyse: recorded ones, and the parts of which others are made. */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { buildTree } from '../../../harness/profile/analysis/cpu-profile.js'
import { restoreInlined } from '../../../harness/profile/analysis/inlined.js'

const PROJECT = new URL('../../../', import.meta.url).href

/**
 * A profile of sorted-list that Node of this version recorded, with its lines still numbered (see fixtures/record.js).
 *
 * @param {number} version
 * @returns {{profile: any, modules: any[], window: any, busyMicros: number}}
 */
export function recorded (version) {
  const text = gunzipSync(readFileSync(new URL(`fixtures/node-${version}.json.gz`, import.meta.url))).toString()
  return JSON.parse(text.replaceAll('file:///timerq/', PROJECT))
}

/** @param {number} version */
export function treeOf (version) {
  const { profile, modules } = recorded(version)
  return buildTree(restoreInlined(profile, modules))
}

export const VERSIONS = [20, 22, 24, 26]

export const job = { queueUrl: `${PROJECT}queues/sorted-list.js`, scenarioUrl: `${PROJECT}scenarios/keep-alive.js` }

/**
 * @param {string} functionName
 * @param {string} [url]
 * @param {number} [line]  From 1.
 */
export const callFrame = (functionName, url = 'file:///a/x.js', line = 1) => ({
  functionName,
  scriptId: '1',
  url,
  lineNumber: line - 1,
  columnNumber: 0
})
