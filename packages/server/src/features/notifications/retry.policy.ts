const minuteMs = 60_000
const pausesMs = [1, 5, 15, 60, 180, 360, 720].map((minutes) => minutes * minuteMs)

export const nextAttempt = (attempts: number, now: Date): Date | undefined => {
  const pause = pausesMs[attempts - 1]
  return pause === undefined ? undefined : new Date(now.getTime() + pause)
}

const offAfterMs = 3 * 24 * 60 * minuteMs

export const isOver = (failingSince: Date, now: Date): boolean => now.getTime() - failingSince.getTime() >= offAfterMs

/** False for statuses that mean the address does not exist. */
export const isWorthRetry = (status: number): boolean =>
  status >= 500 || status === 408 || status === 425 || status === 429
