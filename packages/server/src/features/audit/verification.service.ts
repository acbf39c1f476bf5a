import type { Dependencies } from '../../dependencies.ts'
import { entryOf } from './archived-entry.policy.ts'
import { type ChainedEntry, findBreak } from './audit-chain.policy.ts'
import { readAuditAfter } from './audit.repository.ts'
import { chainPending } from './chaining.service.ts'
import { type Checkpoint, findBadCheckpoint } from './checkpoint.policy.ts'
import { type CheckpointRow, findLastCheckpoint, listCheckpoints } from './retention.repository.ts'

type Deps = Pick<Dependencies, 'auditArchive' | 'config' | 'db'>
type Link = Pick<ChainedEntry, 'id'> & { hash: string }

export interface AuditVerdict {
  /** Number of verified entries in the store. */
  count: number
  last: Link
  /** The first entry that breaks the chain. */
  brokenAt: number | undefined
  archives: {
    /** Verified entries in archives. */
    count: number
    /** Missing archives, which may have been moved elsewhere on purpose. */
    missing: string[]
    /** Problem of the first invalid archive. */
    problem: string | undefined
  }
}

/** Verifies the whole chain, archives and store, in pages. */
export async function verifyAudit(deps: Deps, pageSize = 1000): Promise<AuditVerdict> {
  await chainPending(deps)
  const checkpoints = await listCheckpoints(deps.db)
  const start = checkpoints.at(-1)
  const stored = await verifyStored(deps, { id: start?.lastId ?? 0, hash: start?.lastHash ?? '' }, pageSize)
  // The retention job archived entries during the check: start over.
  const wasArchivedMeanwhile = (await findLastCheckpoint(deps.db))?.lastId !== start?.lastId
  if (stored.brokenAt !== undefined && wasArchivedMeanwhile) return verifyAudit(deps, pageSize)
  return { ...stored, archives: await verifyArchives(deps, checkpoints, pageSize) }
}

async function verifyStored({ config, db }: Deps, from: Link, pageSize: number) {
  // Also reads entries below the start, which would otherwise go unnoticed.
  const pages = readPages((after) => readAuditAfter(db, after, pageSize), Number.MIN_SAFE_INTEGER)
  return followChain(config.ENCRYPTION_KEY, from, pages)
}

async function verifyArchives({ auditArchive, config }: Deps, checkpoints: CheckpointRow[], pageSize: number) {
  const missing: string[] = []
  let count = 0
  const bad = findBadCheckpoint(config.ENCRYPTION_KEY, checkpoints)
  if (bad) return { count, missing, problem: `the checkpoint of entry ${bad.firstId} is not sealed by this panel` }
  let before: Link = { id: 0, hash: '' }
  for (const checkpoint of checkpoints) {
    const { archive, archiveHash } = checkpoint
    const hash = await auditArchive.hash(archive)
    if (hash === undefined) missing.push(archive)
    else if (hash !== archiveHash) return { count, missing, problem: `the archive ${archive} was modified` }
    else {
      const pages = inPages(auditArchive.read(archive), pageSize)
      const { count: read, last, brokenAt } = await followChain(config.ENCRYPTION_KEY, before, pages)
      if (brokenAt !== undefined || !isAt(last, checkpoint))
        return {
          count,
          missing,
          problem: `the archive ${archive} does not continue the hash chain of the entries before it`
        }
      count += read
    }
    before = { id: checkpoint.lastId, hash: checkpoint.lastHash }
  }
  return { count, missing, problem: undefined }
}

const isAt = (last: Link, { lastId, lastHash }: Checkpoint) => last.id === lastId && last.hash === lastHash

async function followChain(key: string, from: Link, pages: AsyncIterable<readonly (ChainedEntry & Link)[]>) {
  let last = from
  let count = 0
  for await (const rows of pages) {
    const brokenAt = findBreak(key, last, rows)
    const end = brokenAt === undefined ? rows.length : rows.findIndex((row) => row.id === brokenAt)
    count += end
    const { id, hash } = rows[end - 1] ?? last
    last = { id, hash }
    if (brokenAt !== undefined) return { count, last, brokenAt }
  }
  return { count, last, brokenAt: undefined }
}

async function* readPages<Row extends { id: number }>(read: (after: number) => Promise<Row[]>, start: number) {
  for (let after = start; ;) {
    const rows = await read(after)
    if (rows.length === 0) return
    yield rows
    after = rows.at(-1)!.id
  }
}

async function* inPages(lines: AsyncIterable<string>, pageSize: number) {
  let page: (ChainedEntry & Link)[] = []
  for await (const line of lines) {
    page.push(entryOf(line))
    if (page.length < pageSize) continue
    yield page
    page = []
  }
  yield page
}
