/** @datastructures-js/binary-search-tree: an AVL tree. */
import { AvlTree } from '@datastructures-js/binary-search-tree'
import { SortedSet, compare, declared } from './sorted-set.js'

export const meta = declared('datastructures-js-avl-tree', 'AVL tree', '@datastructures-js/binary-search-tree')

export class AvlTreeTimers extends SortedSet {
  #tree = new AvlTree(compare)

  add (timer) {
    this.#tree.insert(timer)
  }

  remove (timer) {
    this.#tree.remove(timer)
  }

  first () {
    return this.#tree.min().getValue()
  }
}
