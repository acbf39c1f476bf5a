import { createHmac } from 'node:crypto'

/** What was done, as it is written down with the act. */
export interface SealedEntry {
  /** Of the entry itself; null of those from before entries had one. */
  entryId: string | null
  action: string
  actorId: string | null
  targetId: string | null
  ip: string | null
  userAgent: string | null
  metadata: Readonly<Record<string, unknown>>
  createdAt: Date
}

/** An entry at its place in the chain. */
export interface ChainedEntry extends SealedEntry {
  id: number
}

/**
 * The hash of an entry: an HMAC over itself and the hash before it, under a key that the store does not hold. Who can write to the
 * store alone can therefore neither change nor insert an entry without `findBreak` telling.
 */
function chainHash(key: string, previousHash: string, entry: ChainedEntry): string {
  const { id, action, actorId, targetId, ip, userAgent, metadata, createdAt, entryId } = entry
  const text = JSON.stringify([
    previousHash,
    id,
    action,
    actorId,
    targetId,
    ip,
    userAgent,
    sorted(metadata),
    createdAt.toISOString(),
    ...(entryId === null ? [] : [entryId])
  ])
  return createHmac('sha256', `audit:${key}`).update(text).digest('hex')
}

/** An HMAC over an entry that waits for its place, so that nobody who can write to the store alone has one of their own chained. */
export function entrySeal(key: string, entry: SealedEntry): string {
  const { entryId, action, actorId, targetId, ip, userAgent, metadata, createdAt } = entry
  const text = JSON.stringify([
    entryId,
    action,
    actorId,
    targetId,
    ip,
    userAgent,
    sorted(metadata),
    createdAt.toISOString()
  ])
  return createHmac('sha256', `audit-entry:${key}`).update(text).digest('hex')
}

// No HMAC: `findBreak` names the entry that has it.
const notOurs = 'not sealed by this panel'

/**
 * Gives entries their places after the last one. One whose seal is not ours, or that has a place already, is neither dropped nor made
 * whole: the chain breaks at it. One from the time of the archive has its place there.
 */
export function chain<Entry extends SealedEntry & { seal: string }>(
  keys: { log: string; entries: readonly string[] },
  last: { id: number; hash: string },
  entries: readonly Entry[],
  before: { ids: ReadonlySet<string>; until?: Date | undefined }
): (ChainedEntry & { hash: string })[] {
  let { id, hash } = last
  return entries.map(({ seal, ...sealed }) => {
    const isArchived = before.until !== undefined && sealed.createdAt <= before.until
    const isAgain = isArchived || before.ids.has(sealed.entryId!)
    const entry = { ...sealed, id: ++id, entryId: isAgain ? null : sealed.entryId }
    hash =
      isAgain || !keys.entries.some((key) => seal === entrySeal(key, sealed))
        ? notOurs
        : chainHash(keys.log, hash, entry)
    return { ...entry, hash }
  })
}

/** The id of the first entry that does not follow from the one before it; undefined when all do. Entries come in order. */
export function findBreak(
  key: string,
  previous: { id: number; hash: string },
  entries: readonly (ChainedEntry & { hash: string })[]
): number | undefined {
  let { id, hash } = previous
  for (const entry of entries) {
    if (entry.id !== id + 1 || entry.hash !== chainHash(key, hash, entry)) return entry.id
    ;({ id, hash } = entry)
  }
  return undefined
}

/** The store keeps the members of an object in an order of its own. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, sorted(member)])
  )
}
