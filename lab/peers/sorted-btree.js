/** sorted-btree: a B+-tree of objects. */
import commonJs from 'sorted-btree'
import { SortedSet, compare, declared } from './sorted-set.js'

const BTree = commonJs.default

export const meta = declared('sorted-btree', 'B+-tree', 'sorted-btree')

export class SortedBtreeTimers extends SortedSet {
  #tree = new BTree(undefined, compare)

  add (timer) {
    this.#tree.set(timer, undefined)
  }

  remove (timer) {
    this.#tree.delete(timer)
  }

  first () {
    return this.#tree.minKey()
  }
}
