/** Buckets a factor of 2^(1/4) apart, from 1 ms to about an hour: quantiles are at most 19 % too high. */
export type ResponseTimes = readonly number[]

const stepsPerDoubling = 4
const doublings = 22
export const timeSteps = stepsPerDoubling * doublings + 1

export const stepOf = (ms: number): number =>
  // Rounded first: the logarithm of a bucket bound may come out slightly too high.
  ms <= 1 ? 0 : Math.min(timeSteps - 1, Math.ceil(Number((Math.log2(ms) * stepsPerDoubling).toFixed(9))))

export const boundMs = (step: number): number => 2 ** (step / stepsPerDoubling)

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

/** Bounds of the Prometheus histogram; each is also a bucket bound, so counts are exact. */
export const histogramBoundsMs = [4, 16, 64, 256, 1024, 4096, 16_384, 65_536] as const

const bucketOfStep = Array.from({ length: timeSteps }, (_, step) => {
  const bucket = histogramBoundsMs.findIndex((bound) => step <= stepOf(bound))
  return bucket < 0 ? histogramBoundsMs.length : bucket
})

export function histogramCounts(packed: readonly number[]): number[] {
  const counts = Array.from({ length: histogramBoundsMs.length + 1 }, () => 0)
  for (let i = 0; i + 1 < packed.length; i += 2)
    counts[bucketOfStep[packed[i]!] ?? histogramBoundsMs.length]! += packed[i + 1]!
  return counts
}
