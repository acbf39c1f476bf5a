import { createHmac } from 'node:crypto'

/** Where the chain was cut: entries up to `lastId` are in an archive, and the next one follows from `lastHash`. */
export interface Checkpoint {
  firstId: number
  lastId: number
  lastHash: string
  /** The latest time of its entries. */
  until: Date
  archive: string
  /** SHA-256 of the archive. */
  archiveHash: string
}

/** An HMAC over a checkpoint under a key that the store does not hold: who can write to the store alone cannot cut the chain unseen. */
export function checkpointSeal(key: string, checkpoint: Checkpoint): string {
  const { firstId, lastId, lastHash, until, archive, archiveHash } = checkpoint
  const text = JSON.stringify([firstId, lastId, lastHash, until.toISOString(), archive, archiveHash])
  return createHmac('sha256', `audit-checkpoint:${key}`).update(text).digest('hex')
}

/** The first of the checkpoints that is not sealed by this panel or does not begin where the one before it ended; undefined when all do. */
export function findBadCheckpoint<C extends Checkpoint & { seal: string }>(
  key: string,
  checkpoints: readonly C[]
): C | undefined {
  let lastId = 0
  return checkpoints.find((checkpoint) => {
    const isBad = checkpoint.firstId !== lastId + 1 || checkpoint.seal !== checkpointSeal(key, checkpoint)
    lastId = checkpoint.lastId
    return isBad
  })
}

export interface Retention {
  days: number
  maxEntries: number
}

/** What decides how much is cut now. */
export interface CutFacts {
  /** Entries in the store. */
  count: number
  /** When the oldest was written. */
  oldest: Date
  /** How many of the oldest may go by their age, as far as was counted. */
  expired: number
}

export const archiveEntries = 10_000
const dayMs = 24 * 3600 * 1000
// So that an archive of a small panel is of a week, not of an hour.
const timeoutMs = 7 * dayMs

/** Entries written before this may go by their age. */
export const expiryOf = (now: Date, { days }: Retention): Date => new Date(now.getTime() - days * dayMs)

/** How many of the oldest entries are archived now, at most `batchSize`; 0 when it can wait. */
export function entriesToCut(
  now: Date,
  retention: Retention,
  { count, oldest, expired }: CutFacts,
  batchSize = archiveEntries
): number {
  const surplus = count - retention.maxEntries
  if (surplus >= batchSize) return batchSize
  const isDue = expired >= batchSize || expiryOf(now, retention).getTime() - oldest.getTime() >= timeoutMs
  return isDue ? Math.min(batchSize, Math.max(expired, surplus)) : 0
}
