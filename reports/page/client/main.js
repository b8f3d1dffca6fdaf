/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/** The page comes to life: charts, tables and the samples behind the figures. Nothing here needs a network. */
import { startChart } from './chart.js'
import { startPicker } from './picker.js'
import { startSamples } from './samples.js'
import { startSorting } from './sorting.js'

const report = JSON.parse(/** @type {HTMLElement} */ (document.getElementById('report')).textContent ?? '')
const showSamples = startSamples(report)
const charts = [...document.querySelectorAll('.chart')].map((element, i) =>
  startChart(/** @type {HTMLElement} */ (element), report.charts[i], showSamples))

startPicker(picked => {
  for (const chart of charts) chart.pick(picked)
})
startSorting()
document.documentElement.classList.add('alive')
