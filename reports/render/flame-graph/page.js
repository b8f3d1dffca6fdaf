/**
 * A flame graph as one HTML file that works offline, drawn by d3-flame-graph.
 *
 * Function names come from the profiled program. They travel as JSON without a `<`, are shown as text only, and the
 * content security policy runs no script but the page's own, known by its hash.
 */
import { readFileSync } from 'node:fs'
import { formatShare } from '../../../harness/model/numbers.js'
import { nameFunction } from '../../documents/heavy-profile.js'
import { embed, escapeText, hashOf } from '../../markup.js'
import { readScript } from '../script.js'
import { OWNERS } from './owners.js'

/**
 * @import { DifferentialNode, FlameNode } from '../../../harness/profile/analysis/flame-tree.js'
 *
 * @typedef {object} Drawn  A bar of the page.
 * @property {string} name
 * @property {number} value  Width: parts per million of busy CPU.
 * @property {string} colour
 * @property {string} label
 * @property {Drawn[]} children
 */

const STYLE = readFileSync(new URL('style.css', import.meta.url), 'utf8')

/** A difference of this share of CPU has the full colour. */
const FULL_COLOUR = 0.05

/**
 * @param {FlameNode} root
 * @param {{title: string, about: string}} heading
 * @returns {string}
 */
export function renderFlameGraph (root, { title, about }) {
  const legend = Object.values(OWNERS)
  return page({ title, about, legend, root: drawNode(root) })
}

/**
 * @param {DifferentialNode} root
 * @param {{title: string, about: string}} heading
 * @returns {string}
 */
export function renderDifferentialFlameGraph (root, { title, about }) {
  const legend = [
    { colour: colourOfDifference(FULL_COLOUR), title: 'more CPU than in the baseline' },
    { colour: colourOfDifference(0), title: 'as much' },
    { colour: colourOfDifference(-FULL_COLOUR), title: 'less' }
  ]
  return page({ title, about, legend, root: drawDifference(root) })
}

/**
 * @param {FlameNode} node
 * @returns {Drawn}
 */
function drawNode ({ callees, ...node }) {
  const name = nameFunction(node)
  return {
    name,
    value: partsPerMillion(node.share),
    colour: OWNERS[node.owner].colour,
    label: `${name}: ${formatShare(node.share, 2)} of busy CPU, with what it calls (${OWNERS[node.owner].title})`,
    children: callees.map(drawNode)
  }
}

/**
 * A bar is as wide as the mean of both shares, so that new functions show as well as removed ones.
 *
 * @param {DifferentialNode} node
 * @returns {Drawn}
 */
function drawDifference ({ callees, base, share, ...node }) {
  const name = nameFunction(node)
  const points = `${share < base ? '' : '+'}${(100 * (share - base)).toFixed(2)} points`
  return {
    name,
    value: partsPerMillion((base + share) / 2),
    colour: colourOfDifference(share - base),
    label: `${name}: ${formatShare(base, 2)} of busy CPU before, ${formatShare(share, 2)} now (${points})`,
    children: callees.map(drawDifference)
  }
}

/**
 * Grey to red or blue, light enough for black letters.
 *
 * @param {number} difference
 */
function colourOfDifference (difference) {
  const paleness = Math.round(235 - 125 * Math.min(1, Math.abs(difference) / FULL_COLOUR))
  return difference > 0 ? `rgb(235,${paleness},${paleness})` : `rgb(${paleness},${paleness},235)`
}

/** @param {{title: string, about: string, legend: {colour: string, title: string}[], root: Drawn}} content */
function page ({ title, about, legend, root }) {
  const script = readScript('flame-graph')
  const policy = `default-src 'none'; script-src ${hashOf(script)}; style-src 'unsafe-inline'`
  const entries = legend.map(
    ({ colour, title }) => `<li><span style="background:${colour}"></span>${escapeText(title)}</li>`
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>timerq: ${escapeText(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escapeText(title)}</h1>
<p>${escapeText(about)}</p>
<ul class="legend">${entries.join('')}</ul>
<form role="search"><input type="search" aria-label="Search functions" placeholder="Search functions">
<button type="button" id="reset">Reset zoom</button></form>
<div id="chart"></div>
<p id="details" role="status">Point at a function for its share; click on it to zoom in.</p>
<script type="application/json" id="tree">${embed(root)}</script>
<script>${script}</script>
</body>
</html>
`
}

/** @param {number} share */
const partsPerMillion = share => Math.round(1e6 * share)
