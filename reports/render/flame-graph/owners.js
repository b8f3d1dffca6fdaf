/**
 * Owners of functions in flame graphs: the queue and the timer service in the colours of fire, everything else in those
 * of ash.
 *
 * @type {Record<string, {title: string, colour: string}>}
 */
export const OWNERS = {
  queue: { title: 'the queue', colour: '#e4572e' },
  service: { title: 'the timer service', colour: '#f3a712' },
  clock: { title: "Node's clock and timers", colour: '#d9c08c' },
  other: { title: 'Node and the server', colour: '#a9bcd0' },
  native: { title: 'native code', colour: '#d3d8de' }
}
