import type { AuditAction } from '@panel/contract/audit'
import type { Database, Queryable, Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { Session } from '../../http/session.ts'
import { newId } from '../../security/ids.ts'
import { entrySeal } from './audit-chain.policy.ts'
import { insertPending } from './audit.repository.ts'

/** Where an operation came from: a request, or `{}` for the panel's own doing. */
export interface AuditOrigin {
  ip?: string
  headers?: { 'user-agent'?: string | undefined }
  /** Who is signed in, or whose API token came with it. */
  session?: Pick<Session, 'id' | 'scope'> | null
}

export interface NewAuditEntry {
  action: AuditAction
  /** Null where nobody is signed in. */
  actorId: string | null
  targetId: string | null
  /** Never secret material. */
  metadata?: Record<string, unknown>
}

type Deps = Pick<Dependencies, 'config' | 'now'>

/** Writes one entry in the caller's transaction: the operation and its record are there together or not at all. */
export async function recordAudit(
  deps: Deps,
  trx: Transaction,
  origin: AuditOrigin,
  entry: NewAuditEntry
): Promise<void> {
  await write(deps, trx, origin, entry)
}

/** As recordAudit, for an operation that changes no rows. */
export async function recordAuditAlone(
  deps: Deps & { db: Database },
  origin: AuditOrigin,
  entry: NewAuditEntry
): Promise<void> {
  await write(deps, deps.db, origin, entry)
}

/** It gets its place in the chain later (chaining.service.ts), so that nobody waits here for anybody. */
async function write(deps: Deps, db: Queryable, origin: AuditOrigin, entry: NewAuditEntry): Promise<void> {
  const { session } = origin
  const createdAt = deps.now()
  const sealed = {
    entryId: newId(createdAt.getTime()),
    action: entry.action,
    actorId: entry.actorId,
    targetId: entry.targetId,
    ip: origin.ip ?? null,
    userAgent: origin.headers?.['user-agent']?.replaceAll('\0', '').slice(0, 500) ?? null,
    // Which of somebody's tokens it was, where it was not the person.
    metadata: storable({ ...entry.metadata, ...(session?.scope === undefined ? {} : { by: session.id }) }) as Record<
      string,
      unknown
    >,
    createdAt
  }
  const { entryId: id, ...values } = sealed
  await insertPending(db, { id, ...values, seal: entrySeal(deps.config.auditEntryKey, sealed) })
}

const maxTextLength = 500

/** As jsonb keeps it: without NUL and half characters, which a path of a client's may have, and no text of any length. */
function storable(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '').slice(0, maxTextLength).toWellFormed()
  if (Array.isArray(value)) return value.map(storable)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, storable(member)]))
}
