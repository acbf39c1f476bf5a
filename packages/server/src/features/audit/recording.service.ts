import type { AuditAction } from '@panel/contract/audit'
import type { Database, Queryable, Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { Session } from '../../http/session.ts'
import { newId } from '../../security/ids.ts'
import { entrySeal } from './audit-chain.policy.ts'
import { insertPending } from './audit.repository.ts'

export interface AuditOrigin {
  ip?: string
  headers?: { 'user-agent'?: string | undefined }
  session?: Pick<Session, 'id' | 'scope'> | null
}

export interface NewAuditEntry {
  action: AuditAction
  actorId: string | null
  targetId: string | null
  /** Must not contain secrets. */
  metadata?: Record<string, unknown>
}

type Deps = Pick<Dependencies, 'config' | 'now'>

/** Records an entry in the caller's transaction, so that operation and entry are committed together. */
export async function recordAudit(
  deps: Deps,
  trx: Transaction,
  origin: AuditOrigin,
  entry: NewAuditEntry
): Promise<void> {
  await write(deps, trx, origin, entry)
}

export async function recordAuditAlone(
  deps: Deps & { db: Database },
  origin: AuditOrigin,
  entry: NewAuditEntry
): Promise<void> {
  await write(deps, deps.db, origin, entry)
}

/** Chained later (chaining.service.ts), so that recording takes no lock. */
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
    // Identifies the API token, if one was used.
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

/**
 * Makes a value storable as jsonb: without NUL and lone surrogates (client-supplied paths may contain them) and with
 * limited text length.
 */
function storable(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '').slice(0, maxTextLength).toWellFormed()
  if (Array.isArray(value)) return value.map(storable)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, storable(member)]))
}
