/** Unpacks the page's data, and then its script: both would be three times as large as text. */
/// <reference lib="dom" />
{
  /** @param {string} id */
  const unpack = async id => {
    const element = /** @type {HTMLElement} */ (document.getElementById(id))
    const bytes = Uint8Array.from(atob(element.textContent ?? ''), letter => letter.charCodeAt(0))
    const text = new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).text()
    element.textContent = await text
    return element
  }
  Promise.all(['report-data', 'report-script'].map(unpack)).then(([, { textContent }]) =>
    document.body.append(Object.assign(document.createElement('script'), { textContent }))
  )
}
