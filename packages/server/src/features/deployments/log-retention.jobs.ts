import type { Dependencies } from '../../dependencies.ts'
import {
  listAccountsWithLogs,
  listLogsOfProject,
  listSurplusLogs,
  type LogLimits,
  removeLogs
} from './log-retention.repository.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'now'>

// Some 10 MB of text in one transaction at worst.
const batchSize = 10
const accountsAtOnce = 100

/** Removes what is too much of an account's logs. After each deployment, so that no account has more than the limit and what is under way. */
export const trimLogs = (deps: Deps, userId: string): Promise<void> =>
  removeInBatches(deps, () => listSurplusLogs(deps.db, userId, limitsOf(deps), batchSize))

/** Of all accounts: what an end without a clean-up has left, or other limits than before. */
export async function trimAllLogs(deps: Deps): Promise<void> {
  for (let after = ''; ;) {
    const accounts = await listAccountsWithLogs(deps.db, after, accountsAtOnce)
    for (const userId of accounts) await trimLogs(deps, userId)
    if (accounts.length < accountsAtOnce) return
    after = accounts.at(-1)!
  }
}

/** Of a project that is deleted. */
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
