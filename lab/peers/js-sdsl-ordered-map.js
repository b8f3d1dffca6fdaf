/** @js-sdsl/ordered-map: a red-black tree. */
import { OrderedMap } from '@js-sdsl/ordered-map'
import { SortedSet, compare, declared } from './sorted-set.js'

export const meta = declared('js-sdsl-ordered-map', 'Red-black tree', '@js-sdsl/ordered-map')

export class JsSdslOrderedMapTimers extends SortedSet {
  #tree = new OrderedMap([], compare)

  add (timer) {
    this.#tree.setElement(timer, undefined)
  }

  remove (timer) {
    this.#tree.eraseElementByKey(timer)
  }

  first () {
    return this.#tree.front()[0]
  }
}
