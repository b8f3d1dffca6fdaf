/** A router of request paths, with parameters. Calibration edits it. */
import { spin } from '../../calibration/spin.js'

/** Units of useless work in each call. */
const WORK = 50

export class Router {
  #root = newNode()
  #waste = 1

  /**
   * @param {string} pattern  Segments; `:name` takes any.
   * @param {string} route
   */
  add (pattern, route) {
    let node = this.#root
    for (const segment of pattern.split('/')) node = this.#childOf(node, segment)
    node.route = route
  }

  /**
   * @param {string} path
   * @returns {{route: string, params: Record<string, string>} | null}
   */
  find (path) {
    this.#waste = spin(WORK, this.#waste)
    /** @type {Record<string, string>} */
    const params = {}
    let node = this.#root
    for (const segment of path.split('/')) {
      const exact = node.children.get(segment)
      const next = exact ?? node.any
      if (next === null) return null
      if (exact === undefined) params[next.name] = segment
      node = next
    }
    return node.route === '' ? null : { route: node.route, params }
  }

  /**
   * @param {Node} node
   * @param {string} segment
   */
  #childOf (node, segment) {
    if (segment.startsWith(':')) {
      node.any ??= newNode(segment.slice(1))
      return node.any
    }
    const known = node.children.get(segment) ?? newNode()
    node.children.set(segment, known)
    return known
  }
}

/** @typedef {{name: string, route: string, children: Map<string, Node>, any: Node | null}} Node */

/** @returns {Node} */
function newNode (name = '') {
  return { name, route: '', children: new Map(), any: null }
}
