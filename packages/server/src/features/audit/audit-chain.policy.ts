import { createHmac } from 'node:crypto'

/** An entry as the chain covers it. */
interface ChainedEntry {
  id: number
  action: string
  actorId: string | null
  targetId: string | null
  ip: string | null
  userAgent: string | null
  metadata: Readonly<Record<string, unknown>>
  createdAt: Date
}

/**
 * The hash of an entry: an HMAC over itself and the hash before it, under a key that the store does not hold. Who can write to the
 * store alone can therefore neither change nor insert an entry without `findBreak` telling.
 */
export function chainHash(key: string, previousHash: string, entry: ChainedEntry): string {
  const { id, action, actorId, targetId, ip, userAgent, metadata, createdAt } = entry
  const text = JSON.stringify([
    previousHash,
    id,
    action,
    actorId,
    targetId,
    ip,
    userAgent,
    sorted(metadata),
    createdAt.toISOString()
  ])
  return createHmac('sha256', `audit:${key}`).update(text).digest('hex')
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
