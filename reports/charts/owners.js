/**
 * Whose code a function is, as flame graphs show it: the queue and the timer service in the colours of fire, everything else
 * in the colours of ash. Runs in the page too: imports nothing of Node.
 *
 * @typedef {object} OwnerStyle
 * @property {string} title
 * @property {string} colour  On a page of its own.
 * @property {number} hue  In a picture, which follows the theme of its page.
 * @property {string} opacity
 */

/** @type {Record<string, OwnerStyle>} */
export const OWNERS = {
  queue: { title: 'the queue', colour: '#e4572e', hue: 1, opacity: '0.75' },
  service: { title: 'the timer service', colour: '#f3a712', hue: 4, opacity: '0.5' },
  clock: { title: "Node's clock and timers", colour: '#d9c08c', hue: 2, opacity: '0.4' },
  other: { title: 'Node and the server', colour: '#a9bcd0', hue: 0, opacity: '0.22' },
  native: { title: 'native code', colour: '#d3d8de', hue: 5, opacity: '0.18' }
}
