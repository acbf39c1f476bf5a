const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** Duration in seconds of the first ban, the second and so on. */
export const banSteps = [10 * minute, hour, day, 7 * day] as const

/** One offence is forgiven for each of these since the last ban ended. */
export const forgivenAfterSeconds = 7 * day

interface PastBan {
  offences: number
  until: Date | null
}

/** Offences that still count. */
export function offencesLeft({ offences, until }: PastBan, now: Date): number {
  if (until === null) return offences
  const quietMs = Math.max(0, now.getTime() - until.getTime())
  return Math.max(0, offences - Math.floor(quietMs / (forgivenAfterSeconds * 1000)))
}

export const isBanned = ({ until }: Pick<PastBan, 'until'>, now: Date): boolean => until === null || until > now

/** The ban after another guess; undefined while one is in force. */
export function nextBan(before: PastBan | undefined, now: Date): { offences: number; until: Date } | undefined {
  if (before && isBanned(before, now)) return undefined
  const offences = (before ? offencesLeft(before, now) : 0) + 1
  const seconds = banSteps[Math.min(offences, banSteps.length) - 1]!
  return { offences, until: new Date(now.getTime() + seconds * 1000) }
}
