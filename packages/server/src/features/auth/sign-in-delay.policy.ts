/** A person who has forgotten a password gives up before, and one address has no more than five tries in this time (AUTH_RATE_LIMIT_MAX). */
const freeFailures = 10
const firstDelayMs = 500
const longestDelayMs = 8_000

/** How long a try to sign in waits after so many wrong passwords for its account in the last quarter of an hour. */
export const signInDelayMs = (failures: number): number =>
  failures < freeFailures ? 0 : Math.min(longestDelayMs, firstDelayMs * 2 ** (failures - freeFailures))
