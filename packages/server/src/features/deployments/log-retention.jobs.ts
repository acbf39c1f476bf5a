import type { Dependencies } from '../../dependencies.ts'
import {
  listAccountsWithLogs,
  listLogsOfProject,
  listSurplusLogs,
  type LogLimits,
  removeLogs
} from './log-retention.repository.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'now'>

// About 10 MB of text per transaction at worst.
const batchSize = 10
const accountsAtOnce = 100

/** Runs after each deployment, so that an account exceeds its limit at most by running deployments. */
export const trimLogs = (deps: Deps, userId: string): Promise<void> =>
  removeInBatches(deps, () => listSurplusLogs(deps.db, userId, limitsOf(deps), batchSize))

/** All accounts: for deployments that ended without cleanup, and for lowered limits. */
export async function trimAllLogs(deps: Deps): Promise<void> {
  for (let after = ''; ;) {
    const accounts = await listAccountsWithLogs(deps.db, after, accountsAtOnce)
    for (const userId of accounts) await trimLogs(deps, userId)
    if (accounts.length < accountsAtOnce) return
    after = accounts.at(-1)!
  }
}

export const removeProjectLogs = (deps: Deps, projectId: string): Promise<void> =>
  removeInBatches(deps, () => listLogsOfProject(deps.db, projectId, batchSize))

async function removeInBatches({ db, now }: Deps, next: () => Promise<string[]>): Promise<void> {
  for (let ids = await next(); ids.length > 0; ids = await next())
    await db.transaction((trx) => removeLogs(trx, ids, now()))
}

const limitsOf = ({ config }: Deps): LogLimits => ({
  perProject: config.BUILD_LOGS_KEPT,
  bytesPerAccount: config.ACCOUNT_LOG_LIMIT
})
