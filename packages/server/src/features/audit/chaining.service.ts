import type { Dependencies } from '../../dependencies.ts'
import { createCoalescer } from '../../concurrency/coalescer.ts'
import { workerVerb } from '../../worker/worker-verb.ts'
import { chain } from './audit-chain.policy.ts'
import { findChained, hasPending, insertEntries, lockLastEntry, takePending } from './audit.repository.ts'
import { findLastCheckpoint } from './retention.repository.ts'

type Deps = Pick<Dependencies, 'config' | 'db'>

// Some 30 ms of this process.
const batchSize = 500

// Per process, as it spares connections to the store: between processes the chain has a lock.
const runs = createCoalescer()

/**
 * Gives every entry that was written until now its place in the chain. Done apart from the acts, since each entry needs the hash before
 * it: in their transactions, all acts of everybody would wait for each other's commits.
 */
export const chainPending = workerVerb('audit.chain', [], (deps: Deps): Promise<void> =>
  runs(deps.db, 'audit', async () => {
    while (await hasPending(deps.db)) await chainBatch(deps)
  })
)

async function chainBatch({ config, db }: Deps): Promise<void> {
  await db.transaction(async (trx) => {
    const lastEntry = await lockLastEntry(trx)
    const cut = await findLastCheckpoint(trx)
    const last = lastEntry ?? { id: cut?.lastId ?? 0, hash: cut?.lastHash ?? '' }
    const pending = await takePending(trx, batchSize)
    if (pending.length === 0) return // Another process was faster.
    const chained = await findChained(
      trx,
      pending.map(({ entryId }) => entryId)
    )
    const { ENCRYPTION_KEY, auditEntryKey } = config
    // Those that a version without it left waiting have the key of the log.
    const keys = { log: ENCRYPTION_KEY, entries: [auditEntryKey, ENCRYPTION_KEY] }
    await insertEntries(trx, chain(keys, last, pending, { ids: chained, until: cut?.until }))
  })
}
