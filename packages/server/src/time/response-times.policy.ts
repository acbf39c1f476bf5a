/**
 * How often answers took how long, in steps of a fourth root of two from 1 ms to about an hour: a quantile read from it is less than 19 %
 * too long, and several of them add up to that of all.
 */
export type ResponseTimes = readonly number[]

const stepsPerDoubling = 4
const doublings = 22
export const timeSteps = stepsPerDoubling * doublings + 1

/** Step 0 is up to 1 ms, the last all above the rest. */
export const stepOf = (ms: number): number =>
  // Rounded first, since the logarithm of a bound may come out a hair above it.
  ms <= 1 ? 0 : Math.min(timeSteps - 1, Math.ceil(Number((Math.log2(ms) * stepsPerDoubling).toFixed(9))))

/** The longest time of a step. */
export const boundMs = (step: number): number => 2 ** (step / stepsPerDoubling)

/** In pairs of a step and its count, without what is 0: as it is stored. */
export function packTimes(times: ResponseTimes): number[] {
  return times.flatMap((count, step) => (count > 0 ? [step, count] : []))
}

export function addPacked(times: number[], packed: readonly number[]): void {
  for (let i = 0; i + 1 < packed.length; i += 2) {
    const step = Math.min(timeSteps - 1, Math.max(0, packed[i]!))
    times[step] = (times[step] ?? 0) + packed[i + 1]!
  }
}

export const noTimes = (): number[] => Array.from({ length: timeSteps }, () => 0)

/** The time in which that share of the answers came, as the upper bound of its step; null where there was none. */
export function quantileMs(times: ResponseTimes, share: number): number | null {
  const total = times.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  let below = 0
  for (const [step, count] of times.entries()) {
    below += count
    if (below >= share * total) return Math.round(boundMs(step) * 10) / 10
  }
  return null
}

/** The bounds of Prometheus' histogram, which are bounds of steps too, so that nothing is guessed. */
export const histogramBoundsMs = [4, 16, 64, 256, 1024, 4096, 16_384, 65_536] as const

// Of each step the first bound that it does not exceed, or the place behind them.
const bucketOfStep = Array.from({ length: timeSteps }, (_, step) => {
  const bucket = histogramBoundsMs.findIndex((bound) => step <= stepOf(bound))
  return bucket < 0 ? histogramBoundsMs.length : bucket
})

/** Of what is packed: of each of these bounds and of all above them, the answers that took no longer, and longer than the one before. */
export function histogramCounts(packed: readonly number[]): number[] {
  const counts = Array.from({ length: histogramBoundsMs.length + 1 }, () => 0)
  for (let i = 0; i + 1 < packed.length; i += 2)
    counts[bucketOfStep[packed[i]!] ?? histogramBoundsMs.length]! += packed[i + 1]!
  return counts
}
