/** Script of a flame graph: draws the tree, searches functions, and resets the zoom. */
/// <reference lib="dom" />
/*! With d3-flame-graph (Apache-2.0) and d3 (ISC, Copyright 2010-2023 Mike Bostock, https://d3js.org). */
// @ts-expect-error -- it has no declarations
import flamegraph from 'd3-flame-graph'
// @ts-expect-error -- it has no declarations
import { select } from 'd3-selection'

const find = (/** @type {string} */ selector) => /** @type {any} */ (document.querySelector(selector))
const element = find('#chart')
const search = find('input')

const chart = flamegraph()
  .width(element.clientWidth)
  .cellHeight(18)
  .minFrameSize(1)
  .transitionDuration(200)
  .tooltip(false)
  .setColorMapper((/** @type {any} */ node) => (node.highlight ? '#b5179e' : node.data.colour))
  .setLabelHandler((/** @type {any} */ node) => node.data.label)
  .setDetailsElement(find('#details'))
select(element)
  .datum(JSON.parse(find('#tree').textContent))
  .call(chart)

search.addEventListener('input', () => (search.value === '' ? chart.clear() : chart.search(search.value)))
find('form').addEventListener('submit', (/** @type {Event} */ event) => event.preventDefault())
find('#reset').addEventListener('click', () => chart.resetZoom())
window.addEventListener('resize', () => chart.width(element.clientWidth).update())
