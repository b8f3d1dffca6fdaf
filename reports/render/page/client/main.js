/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/** Starts the page: charts, tables and the samples behind the figures. Nothing here needs a network. */
import { startChart } from './chart.js'
import { startPicker } from './picker.js'
import { startSamples } from './samples.js'
import { startSorting } from './sorting.js'

const figures = parseData('chart-data')
const showSamples = startSamples(() => parseData('sample-data'))
const charts = [...document.querySelectorAll('.chart')].map((element, i) =>
  startChart(/** @type {HTMLElement} */ (element), figures[i], showSamples))

startPicker(picked => {
  for (const chart of charts) chart.pick(picked)
})
startSorting()
document.documentElement.classList.add('alive')

// A link to what is folded unfolds it.
for (const link of document.querySelectorAll('nav a')) {
  link.addEventListener('click', () => document.querySelector(`${link.getAttribute('href')} > details`)?.setAttribute('open', ''))
}

/** @param {string} id  Of a script element that holds JSON. */
function parseData (id) {
  return JSON.parse(/** @type {HTMLElement} */ (document.getElementById(id)).textContent ?? '')
}
