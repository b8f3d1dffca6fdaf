/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** A click on a column's title sorts by it; a second click reverses the order. */
export function startSorting () {
  for (const button of document.querySelectorAll('th button')) {
    button.addEventListener('click', () => sortBy(/** @type {HTMLTableCellElement} */ (button.parentElement)))
  }
}

/** @param {HTMLTableCellElement} heading */
function sortBy (heading) {
  const table = /** @type {HTMLTableElement} */ (heading.closest('table'))
  const descending = heading.getAttribute('aria-sort') === 'ascending'
  for (const other of table.querySelectorAll('th[aria-sort]')) other.removeAttribute('aria-sort')
  heading.setAttribute('aria-sort', descending ? 'descending' : 'ascending')
  const rows = [...table.tBodies[0].rows].sort((a, b) => compare(a.cells[heading.cellIndex], b.cells[heading.cellIndex], descending))
  table.tBodies[0].append(...rows)
}

/**
 * Cells without a figure stay at the end.
 *
 * @param {HTMLTableCellElement} a
 * @param {HTMLTableCellElement} b
 * @param {boolean} descending
 */
function compare (a, b, descending) {
  const [ofA, ofB] = [a, b].map(({ dataset }) => dataset.sort)
  const sign = descending ? -1 : 1
  if (ofA !== undefined && ofB !== undefined) return sign * (Number(ofA) - Number(ofB))
  if (ofA !== undefined) return -1
  if (ofB !== undefined) return 1
  return sign * (a.textContent ?? '').localeCompare(b.textContent ?? '')
}
