/**
 * What a profile is called among those of its place: its queue, and the round if that queue was profiled in several.
 *
 * @param {{queue: string, round: number}} sample
 * @param {{queue: string}[]} samples
 */
export function nameProfile ({ queue, round }, samples) {
  const isOnly = samples.filter(other => other.queue === queue).length === 1
  return isOnly ? queue : `${queue} (round ${round + 1})`
}
