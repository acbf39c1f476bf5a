import { z } from 'zod'
import type { AuditCheck } from '@panel/contract/audit'
import type { Dependencies } from '../../dependencies.ts'
import { workerVerb } from '../../worker/worker-verb.ts'
import { findBreak } from './audit-chain.policy.ts'
import { findEntry, findLatestId, readAuditAfter } from './audit.repository.ts'
import { chainPending } from './chaining.service.ts'
import { checkpointSeal } from './checkpoint.policy.ts'
import { findLastCheckpoint } from './retention.repository.ts'

type Deps = Pick<Dependencies, 'config' | 'db'>

const entriesAtOnce = 5_000
const pageSize = 500

/**
 * Verifies a bounded part of the chain in the database: after an entry, or the latest. Verifying all parts from 0, each
 * starting where the previous one ended, equals a full check; archives are verified by the CLI.
 */
export const verifyPart = workerVerb(
  'audit.verifyPart',
  [z.int().min(0).optional()],
  async (deps: Deps, after?: number): Promise<AuditCheck> => {
    await chainPending(deps)
    const check = await followPart(deps, after)
    // The retention job has moved entries in the meantime.
    const isCutMeanwhile = ((await findLastCheckpoint(deps.db))?.lastId ?? 0) !== check.archivedTo
    return check.ok || !isCutMeanwhile ? check : followPart(deps, after)
  }
)

async function followPart({ config, db }: Deps, after: number | undefined): Promise<AuditCheck> {
  const key = config.ENCRYPTION_KEY
  const checkpoint = await findLastCheckpoint(db)
  const start = { id: checkpoint?.lastId ?? 0, hash: checkpoint?.lastHash ?? '' }
  const latest = (await findLatestId(db)) ?? start.id
  const from = Math.max(start.id, after ?? latest - entriesAtOnce)
  const facts = { checkedFrom: from, newest: latest, archivedTo: start.id }
  const broken = (id: number, checkedTo: number) => ({ ...facts, ok: false, checkedTo, brokenAt: id })
  if (checkpoint && checkpoint.seal !== checkpointSeal(key, checkpoint)) return broken(checkpoint.firstId, 0)
  let last = from === start.id ? start : await findEntry(db, from)
  // Beyond the end: the caller has seen entries that are now missing.
  if (!last) return broken(Math.min(from, latest + 1), Math.min(from - 1, latest))
  // From the start, also include entries below it, which would otherwise go unnoticed.
  let position = from === start.id ? Number.MIN_SAFE_INTEGER : from
  for (let count = 0; count < entriesAtOnce; count += pageSize) {
    const rows = await readAuditAfter(db, position, pageSize)
    const brokenAt = findBreak(key, last, rows)
    if (brokenAt !== undefined) {
      const whole = rows[rows.findIndex(({ id }) => id === brokenAt) - 1] ?? last
      return broken(brokenAt, whole.id)
    }
    last = rows.at(-1) ?? last
    position = last.id
    if (rows.length < pageSize) break
  }
  return { ...facts, ok: true, checkedTo: last.id, brokenAt: null }
}
