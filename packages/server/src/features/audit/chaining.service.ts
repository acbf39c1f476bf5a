import type { Dependencies } from '../../dependencies.ts'
import { createCoalescer } from '../../concurrency/coalescer.ts'
import { workerVerb } from '../../worker/worker-verb.ts'
import { chain } from './audit-chain.policy.ts'
import { findChained, hasPending, insertEntries, lockLastEntry, takePending } from './audit.repository.ts'
import { findLastCheckpoint } from './retention.repository.ts'

type Deps = Pick<Dependencies, 'config' | 'db'>

const batchSize = 500

// Per process, to save connections. Between processes the chain lock applies.
const runs = createCoalescer()

/**
 * Chains all pending entries. Separate from recording: each entry needs its predecessor's hash, so chaining in the
 * original transactions would serialize all operations of all users.
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
    if (pending.length === 0) return
    const chained = await findChained(
      trx,
      pending.map(({ entryId }) => entryId)
    )
    const { ENCRYPTION_KEY, auditEntryKey } = config
    // Pending entries of older versions are sealed with the log key.
    const keys = { log: ENCRYPTION_KEY, entries: [auditEntryKey, ENCRYPTION_KEY] }
    await insertEntries(trx, chain(keys, last, pending, { ids: chained, until: cut?.until }))
  })
}
