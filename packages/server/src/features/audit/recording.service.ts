import type { AuditAction } from '@panel/contract/audit'
import type { Database, Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { chainHash } from './audit-chain.policy.ts'
import { insertEntry, lockLastEntry } from './audit.repository.ts'

/** Where an operation came from: a request, or `{}` for the panel's own doing. */
export interface AuditOrigin {
  ip?: string
  headers?: { 'user-agent'?: string | undefined }
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

/** Appends one entry in the caller's transaction: the operation and its record are there together or not at all. */
export async function recordAudit(
  deps: Deps,
  trx: Transaction,
  origin: AuditOrigin,
  entry: NewAuditEntry
): Promise<void> {
  const last = await lockLastEntry(trx)
  const row = {
    id: (last?.id ?? 0) + 1,
    action: entry.action,
    actorId: entry.actorId,
    targetId: entry.targetId,
    ip: origin.ip ?? null,
    userAgent: origin.headers?.['user-agent']?.replaceAll('\0', '').slice(0, 500) ?? null,
    metadata: entry.metadata ?? {},
    createdAt: deps.now()
  }
  await insertEntry(trx, { ...row, hash: chainHash(deps.config.ENCRYPTION_KEY, last?.hash ?? '', row) })
}

/** As recordAudit, for an operation that changes no rows. */
export async function recordAuditAlone(
  deps: Deps & { db: Database },
  origin: AuditOrigin,
  entry: NewAuditEntry
): Promise<void> {
  await deps.db.transaction((trx) => recordAudit(deps, trx, origin, entry))
}
