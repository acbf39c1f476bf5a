import { createHmac } from 'node:crypto'

/** Where the chain was cut: entries up to `lastId` are archived, and the next one follows `lastHash`. */
export interface Checkpoint {
  firstId: number
  lastId: number
  lastHash: string
  until: Date
  archive: string
  archiveHash: string
}

/**
 * HMAC with a key that is not in the database, so that the chain cannot be cut unnoticed with database access alone.
 */
export function checkpointSeal(key: string, checkpoint: Checkpoint): string {
  const { firstId, lastId, lastHash, until, archive, archiveHash } = checkpoint
  const text = JSON.stringify([firstId, lastId, lastHash, until.toISOString(), archive, archiveHash])
  return createHmac('sha256', `audit-checkpoint:${key}`).update(text).digest('hex')
}

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

export interface CutFacts {
  count: number
  oldest: Date
  expired: number
}

export const archiveEntries = 10_000
const dayMs = 24 * 3600 * 1000
// Avoids many small archives on a small panel.
const timeoutMs = 7 * dayMs

export const expiryOf = (now: Date, { days }: Retention): Date => new Date(now.getTime() - days * dayMs)

/** How many of the oldest entries to archive now, at most `batchSize`; 0 if it can wait. */
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
