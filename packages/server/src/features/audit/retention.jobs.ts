import type { Dependencies } from '../../dependencies.ts'
import { newId } from '../../security/ids.ts'
import { lineOf } from './archived-entry.policy.ts'
import { findBreak } from './audit-chain.policy.ts'
import { readAuditAfter } from './audit.repository.ts'
import { chainPending } from './chaining.service.ts'
import { archiveEntries, checkpointSeal, entriesToCut, expiryOf } from './checkpoint.policy.ts'
import { cutAt, findLastCheckpoint, listCheckpoints, readCutFacts } from './retention.repository.ts'

type Deps = Pick<Dependencies, 'auditArchive' | 'config' | 'db' | 'logger' | 'now'>

const pageSize = 1000
// A million entries per run; the next run continues.
const batchesAtOnce = 100
const abandonedAfterMs = 24 * 3600 * 1000

/**
 * Moves entries beyond the retention into archive files. The file is synced to disk before one transaction replaces the
 * entries with a checkpoint. Killed before that, the staged file is discarded later; killed after it, the next run
 * renames the file into place.
 */
export async function archiveAudit(deps: Deps, batchSize = archiveEntries): Promise<void> {
  await chainPending(deps)
  const cut = (await listCheckpoints(deps.db)).map(({ archive }) => archive)
  await deps.auditArchive.settleStaged(cut, new Date(deps.now().getTime() - abandonedAfterMs))
  for (let batch = 0; batch < batchesAtOnce; batch++) if (!(await archiveBatch(deps, batchSize))) return
}

/** Whether there may be more. */
async function archiveBatch(deps: Deps, batchSize: number): Promise<boolean> {
  const { auditArchive, config, db, logger, now } = deps
  const retention = { days: config.AUDIT_RETENTION_DAYS, maxEntries: config.AUDIT_MAX_ENTRIES }
  const facts = await readCutFacts(db, expiryOf(now(), retention), batchSize)
  const count = facts === undefined ? 0 : entriesToCut(now(), retention, facts, batchSize)
  if (count === 0) return false
  const { lastId: previousId, lastHash: previousHash } = (await findLastCheckpoint(db)) ?? { lastId: 0, lastHash: '' }
  const range = { firstId: previousId + 1, lastId: previousId + count }
  const archive = `audit-${digits(range.firstId)}-${digits(range.lastId)}-${newId(now().getTime())}.ndjson.gz`
  const read = createReader(deps, { id: previousId, hash: previousHash }, range.lastId)
  const archiveHash = await auditArchive.stage(archive, read.lines())
  if (read.brokenAt() !== undefined) {
    // A truncated file would look complete.
    logger.error(
      { entry: read.brokenAt() },
      'audit entries not archived: the audit log was modified, run ./panel audit verify'
    )
    return false
  }
  const checkpoint = { ...range, ...read.end(), archive, archiveHash, createdAt: now() }
  const seal = checkpointSeal(config.ENCRYPTION_KEY, checkpoint)
  const cut = await db.transaction((trx) => cutAt(trx, { ...checkpoint, seal }))
  if (!cut) return false
  await auditArchive.publish(archive)
  logger.info({ ...range, archive }, 'audit entries archived')
  return true
}

/** Reads entries as lines and verifies the hash chain on the way. */
function createReader({ config, db }: Deps, from: { id: number; hash: string }, lastId: number) {
  let last = from
  let until = new Date(0)
  let brokenAt: number | undefined
  return {
    async *lines(): AsyncGenerator<string> {
      while (last.id < lastId && brokenAt === undefined) {
        const rows = await readAuditAfter(db, last.id, Math.min(pageSize, lastId - last.id))
        brokenAt = rows.length === 0 ? last.id + 1 : findBreak(config.ENCRYPTION_KEY, last, rows)
        for (const row of rows) {
          if (row.createdAt > until) until = row.createdAt
          yield lineOf(row)
        }
        last = rows.at(-1) ?? last
      }
    },
    brokenAt: () => brokenAt,
    end: () => ({ lastHash: last.hash, until })
  }
}

const digits = (id: number) => String(id).padStart(12, '0')
