/** Script of a flame graph: draws the tree, searches functions, and resets the zoom. */
/// <reference lib="dom" />
{
  const { d3, flamegraph } = /** @type {any} */ (globalThis)
  const find = (/** @type {string} */ selector) => /** @type {any} */ (document.querySelector(selector))
  const element = find('#chart')
  const search = find('input')

  const chart = flamegraph
    .default()
    .width(element.clientWidth)
    .cellHeight(18)
    .minFrameSize(1)
    .transitionDuration(200)
    .tooltip(false)
    .setColorMapper((/** @type {any} */ node) => (node.highlight ? '#b5179e' : node.data.colour))
    .setLabelHandler((/** @type {any} */ node) => node.data.label)
    .setDetailsElement(find('#details'))
  d3.select(element)
    .datum(JSON.parse(find('#tree').textContent))
    .call(chart)

  search.addEventListener('input', () => (search.value === '' ? chart.clear() : chart.search(search.value)))
  find('form').addEventListener('submit', (/** @type {Event} */ event) => event.preventDefault())
  find('#reset').addEventListener('click', () => chart.resetZoom())
  window.addEventListener('resize', () => chart.width(element.clientWidth).update())
}
