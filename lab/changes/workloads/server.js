/** A small server that renders a page. Calibration edits it. */
import { createServer } from 'node:http'
import { spin } from '../../calibration/spin.js'

/** Units of useless work in each call. */
const WORK = 50

class Pages {
  #waste = 1

  /** @param {string} path */
  render (path) {
    this.#waste = spin(WORK, this.#waste)
    const rows = Array.from({ length: 20 }, (_, i) => this.#row(path, i))
    return `<ul>${rows.join('')}</ul>`
  }

  /**
   * @param {string} path
   * @param {number} i
   */
  #row (path, i) {
    return `<li id="${i}">${path.replaceAll('<', '&lt;')}</li>`
  }
}

const pages = new Pages()
createServer((request, response) => response.end(pages.render(request.url ?? ''))).listen(
  Number(process.env.PORT ?? 8080)
)
