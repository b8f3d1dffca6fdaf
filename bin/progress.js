import { SingleBar } from 'cli-progress'

/** How often a line is printed where there is no terminal to draw a bar on. */
const LINE_EVERY_MS = 10_000

/**
 * @typedef {import('../harness/execute.js').Progress} Progress
 *
 * @param {import('./main.js').Streams['stderr']} stream
 * @returns {{show: (progress: Progress) => void, end: () => void}}
 */
export function createProgress (stream) {
  return stream.isTTY ? drawBar(stream) : printLines(stream)
}

/** @param {import('./main.js').Streams['stderr']} stream */
function drawBar (stream) {
  const bar = new SingleBar({
    stream: /** @type {any} */ (stream),
    format: '{bar} {value}/{total} {left}, {cells} cells left, {what}',
    barsize: 16,
    hideCursor: true,
    clearOnComplete: true,
    linewrap: false
  })
  let started = false
  return {
    show (/** @type {Progress} */ progress) {
      const { done, total, cellsLeft } = progress
      const payload = { left: describeTime(progress), cells: cellsLeft, what: describeSample(progress) }
      if (started) bar.update(done, payload)
      else bar.start(total, done, payload)
      started = true
    },
    end () { bar.stop() }
  }
}

/** @param {import('./main.js').Streams['stderr']} stream */
function printLines (stream) {
  let last = -Infinity
  return {
    show (/** @type {Progress} */ progress) {
      if (performance.now() - last < LINE_EVERY_MS) return
      last = performance.now()
      const { done, total, cellsLeft } = progress
      stream.write(`${done}/${total} samples, ${describeTime(progress)}, ${cellsLeft} cells left, ${describeSample(progress)}\n`)
    },
    end () {}
  }
}

/** @param {Progress} progress */
function describeTime ({ secondsLeft }) {
  return secondsLeft < 90 ? `about ${Math.ceil(secondsLeft)} s` : `about ${Math.ceil(secondsLeft / 60)} min`
}

/** @param {Progress} progress */
function describeSample ({ next: { cell, round, channel } }) {
  const { scenario, params, queue } = cell
  const size = params.size === undefined ? '' : ` ${params.size}`
  return `${queue}, ${scenario}${size}, ${channel === 'exact' ? 'counting' : `round ${round + 1}`}`
}
