import type { SourceImage } from '../../db/schema/deployments.ts'

const checkEveryMs = 6 * 3_600_000
/** Part of the interval by which checks are spread. */
const spread = 0.2

/** `chance` from 0 to 1. */
export const nextCheckAt = (now: Date, chance: number): Date =>
  new Date(now.getTime() + checkEveryMs * (1 - spread / 2 + spread * chance))

/** Whether the tag that is live names another image now. A project whose image was changed has not deployed it yet. */
export const isNewerImage = (
  live: SourceImage | null,
  check: { reference: string; digest: string | null } | undefined
): boolean =>
  live !== null &&
  check !== undefined &&
  check.digest !== null &&
  live.reference === check.reference &&
  live.digest !== check.digest
