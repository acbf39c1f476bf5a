const minuteMs = 60_000
/** After each try that failed. Then it is given up. */
const pausesMs = [1, 5, 15, 60, 180, 360, 720].map((minutes) => minutes * minuteMs)

/** When the next try is, after so many; undefined where it is given up. */
export const nextAttempt = (attempts: number, now: Date): Date | undefined => {
  const pause = pausesMs[attempts - 1]
  return pause === undefined ? undefined : new Date(now.getTime() + pause)
}

const offAfterMs = 3 * 24 * 60 * minuteMs

/** Whether a channel that nothing has arrived at for so long is switched off. */
export const isOver = (failingSince: Date, now: Date): boolean => now.getTime() - failingSince.getTime() >= offAfterMs

/** Whether an answer of this status is worth another try. One that says that there is no such address will say so again. */
export const isWorthRetry = (status: number): boolean =>
  status >= 500 || status === 408 || status === 425 || status === 429
