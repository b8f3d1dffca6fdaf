/**
 * Node's built-in timers, untouched: the control of HTTP scenarios. Nothing is plugged in, so there is no class.
 *
 * Since 2018 they are a binary heap of FIFO lists, one list per duration. `duration-lists` is the same design behind
 * the contract, and its complexity is verified. Timers fire list by list, not by deadline.
 * Source: Node.js, lib/internal/timers.js; pull requests 4007 (2016) and 20555 (2018).
 */
import { meta as durationLists } from './duration-lists.js'

/** @import { QueueMeta } from './contract.js' */

/** @type {QueueMeta} */
export const meta = {
  name: 'node',
  title: "Node's built-in timers, untouched",
  complexity: durationLists.complexity,
  order: 'none',
  accuracy: 'exact',
  source: 'Node.js, lib/internal/timers.js; pull requests 4007 (2016) and 20555 (2018)'
}
