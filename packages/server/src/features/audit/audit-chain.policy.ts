import { createHmac } from 'node:crypto'

export interface SealedEntry {
  /** null for entries from versions without entry IDs. */
  entryId: string | null
  action: string
  actorId: string | null
  targetId: string | null
  ip: string | null
  userAgent: string | null
  metadata: Readonly<Record<string, unknown>>
  createdAt: Date
}

export interface ChainedEntry extends SealedEntry {
  id: number
}

/**
 * HMAC over an entry and the previous hash, with a key outside the database: with write access to the database alone,
 * an attacker cannot change or insert entries without `findBreak` reporting it.
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

/** HMAC over a pending entry, so that a forged one cannot be chained with database access alone. */
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

// Not an HMAC, so that `findBreak` reports the entry.
const notOurs = 'not sealed by this panel'

/**
 * Appends entries to the chain. An entry with a wrong seal, or one already chained, is included but breaks the chain
 * at its position, rather than being dropped or legitimized. Archived entries keep their position in the archive.
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

/** jsonb does not preserve key order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, sorted(member)])
  )
}
