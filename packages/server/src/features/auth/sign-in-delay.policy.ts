/** Forgetful users stay below this: one address has at most five attempts in this time (AUTH_RATE_LIMIT_MAX). */
const freeFailures = 10
const firstDelayMs = 500
const longestDelayMs = 8_000

export const signInDelayMs = (failures: number): number =>
  failures < freeFailures ? 0 : Math.min(longestDelayMs, firstDelayMs * 2 ** (failures - freeFailures))
