/** bintrees: a red-black tree. */
import { RBTree } from 'bintrees'
import { SortedSet, compare, declared } from './sorted-set.js'

export const meta = declared('bintrees', 'Red-black tree', 'bintrees')

export class BintreesTimers extends SortedSet {
  #tree = new RBTree(compare)

  add (timer) {
    this.#tree.insert(timer)
  }

  remove (timer) {
    this.#tree.remove(timer)
  }

  first () {
    return this.#tree.min()
  }
}
