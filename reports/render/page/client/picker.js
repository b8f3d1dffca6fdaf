/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/**
 * Which queues are shown, in charts and tables alike.
 *
 * @param {(picked: Set<string>) => void} onPick
 */
export function startPicker (onPick) {
  const boxes = /** @type {HTMLInputElement[]} */ ([...document.querySelectorAll('.picker input')])
  for (const box of boxes) box.addEventListener('change', update)
  for (const button of /** @type {HTMLElement[]} */ ([...document.querySelectorAll('.picker button')])) {
    button.addEventListener('click', () => {
      for (const box of boxes) box.checked = button.dataset.pick === 'all'
      update()
    })
  }
  // Going back in history restores what was picked.
  if (boxes.some(({ checked }) => !checked)) update()

  function update () {
    const picked = new Set(boxes.filter(({ checked }) => checked).map(({ value }) => value))
    for (const row of /** @type {HTMLElement[]} */ ([...document.querySelectorAll('tr[data-queue]')])) {
      row.hidden = !picked.has(row.dataset.queue ?? '')
    }
    onPick(picked)
  }
}
