/**
 * The time in which at least one of the samples was being measured.
 *
 * @param {{started: string, seconds: number}[]} samples  `started`: ISO 8601.
 * @returns {number} seconds
 */
export function secondsCovered (samples) {
  const spans = samples
    .map(({ started, seconds }) => ({ start: Date.parse(started) / 1000, seconds }))
    .sort((a, b) => a.start - b.start)
  let covered = 0
  let end = -Infinity
  for (const { start, seconds } of spans) {
    covered += Math.max(0, start + seconds - Math.max(start, end))
    end = Math.max(end, start + seconds)
  }
  return covered
}
