import { AppError } from '../../errors.ts'
import { z } from 'zod'
import { Id } from '@panel/contract/common'
import { type ErrorCode, errorStatus } from '@panel/contract/errors'
import { WordpressProblem } from '@panel/contract/wordpress'
import { workerVerb } from '../../worker/worker-verb.ts'
import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../text/message-of.ts'
import type { Transaction } from '../../db/database.ts'
import { findDatabaseById, lockOwnDatabase } from '../databases/database-access.ts'
import { openAccount } from '../databases/linked-project.service.ts'
import { ensureProjectDatabase } from '../databases/project-database.service.ts'
import { syncProjectDirectories } from '../files/project-directories.service.ts'
import { projectTree } from '../files/project-files.service.ts'
import { findProject, type ProjectRow } from '../projects/project-access.ts'
import { accountTransaction } from '../users/account-transaction.service.ts'
import { finishImport, projectDeleted } from './import-finish.service.ts'
import { stagingPaths } from './import-paths.service.ts'
import { isFinal, storedProblem } from './import-problem.policy.ts'
import { claimImport, findImport, type ImportRow, releaseImport, updateImport } from './imports.repository.ts'
import { cleanUp } from './import-clean-up.service.ts'
import { undoSwap } from './import-undo.service.ts'
import { refuseManualVariables } from './site-database-choice.service.ts'
import { writePlan } from './site-exchange.service.ts'
import {
  configuredPrefix,
  loadDump,
  newStagingAccount,
  rewriteSite,
  stageSite,
  unpackSite
} from './site-staging.service.ts'
import { readSiteConfig } from './site-config.service.ts'
import { notifyImport } from './import-notification.service.ts'

export async function runImport(deps: Dependencies, workerId: number, importId: string, signal: AbortSignal) {
  const claimed = await claimImport(deps.db, importId, workerId, deps.now())
  if (!claimed) return
  try {
    if (claimed.step === 'CHECKING') await prepare(deps, claimed, signal)
    else if (claimed.step !== 'SWAPPING') throw interrupted(claimed)
    await finishImport(deps, importId)
  } catch (error) {
    await abortImport(deps, importId, workerId, { error, isStopping: signal.aborted })
  }
}

const interrupted = ({ step }: ImportRow) =>
  new AppError('WORDPRESS_IMPORT_FAILED', { code: 'IMPORT_INTERRUPTED', values: { step } })

const finishWithinMs = 24 * 3600 * 1000

/** Before the commit point the import fails. After it, a later run finishes or undoes it. */
async function abortImport(
  deps: Dependencies,
  importId: string,
  workerId: number,
  { error, isStopping }: { error: unknown; isStopping: boolean }
): Promise<void> {
  const row = await findImport(deps.db, importId)
  if (row?.status !== 'RUNNING') return
  deps.logger.warn({ import: importId, step: row.step, error: messageOf(error) }, 'WordPress import failed')
  if (row.step !== 'SWAPPING') await failImport(deps, importId, isStopping ? interrupted(row) : error)
  else if (await isUndone(deps, row, error)) await failImport(deps, importId, error)
  else await releaseImport(deps.db, importId, workerId, deps.now())
}

async function isUndone(deps: Dependencies, row: ImportRow, error: unknown): Promise<boolean> {
  if (!isFinal(error) && deps.now().getTime() - row.createdAt.getTime() < finishWithinMs) return false
  try {
    await undoSwap(deps, row)
    return true
  } catch (cause) {
    deps.logger.warn({ import: row.id, error: messageOf(cause) }, 'Could not undo WordPress import')
    return isFinal(cause)
  }
}

export const failImport = (deps: Dependencies, importId: string, error: unknown): Promise<void> =>
  endFailed(deps, importId, storedProblem(error))

const Problem = z.object({
  errorCode: z.enum(Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]]),
  errorMessage: z.string(),
  // Missing in calls from the previous version during an update.
  errorSentences: WordpressProblem.default([])
})

const endFailed = workerVerb('wordpress.fail', [Id, Problem], endFailedHere)

async function endFailedHere(deps: Dependencies, importId: string, problem: z.infer<typeof Problem>): Promise<void> {
  const row = await findImport(deps.db, importId)
  if (row?.status !== 'RUNNING') return
  await cleanUp(deps, row).catch((cause: unknown) =>
    deps.logger.warn({ import: importId, error: messageOf(cause) }, 'Could not clean up WordPress import')
  )
  await deps.db.transaction(async (trx) => {
    const isEnded = await updateImport(trx, importId, { status: 'FAILED', ...problem, workerId: null }, deps.now())
    const project = isEnded && (await findProject(trx, row.projectId))
    const { errorMessage, errorSentences } = problem
    const why = errorSentences.length > 0 ? errorSentences : errorMessage
    if (project) await notifyImport(deps, trx, project, 'import-failed', why)
  })
}

async function prepare(deps: Dependencies, row: ImportRow, signal: AbortSignal): Promise<void> {
  const paths = stagingPaths(deps.config, row.id)
  const project = await findProject(deps.db, row.projectId)
  if (!project) throw projectDeleted()
  const step = async (values: Partial<ImportRow>, trx?: Transaction) => {
    signal.throwIfAborted()
    const db = trx ?? deps.db
    if (!(await findProject(db, project.id))) throw projectDeleted()
    if (!(await updateImport(db, row.id, values, deps.now()))) throw new Error('The import was ended in the meantime')
  }

  const databaseId = await chooseDatabase(deps, row, project)
  await syncProjectDirectories(deps, project.userId)
  const current = await readSiteConfig(await projectTree(deps, project, { protects: 'nothing' }), {})

  // The lock that deletion takes: from here on the database cannot be deleted until the import ends.
  await accountTransaction(deps.db, row.userId, async (trx) => {
    await lockOwnDatabase(trx, databaseId, row.userId)
    await step({ step: 'UNPACKING', databaseId }, trx)
  })
  const site = await unpackSite(deps, paths, project)

  await step({ step: 'LOADING', files: site.files })
  const account = newStagingAccount(row.stagingDatabase!)
  await deps.databaseServers.MYSQL.provision(account)
  const leftOut = await loadDump(deps, paths, site, account, signal)

  await step({ step: 'REWRITING' })
  const configured = await configuredPrefix(paths, site)
  const { prefix, tables, replacedAddress, notes, noteSentences } = await rewriteSite(
    deps,
    project,
    account,
    configured,
    leftOut,
    signal
  )
  await stageSite(paths, site, prefix)
  await writePlan(paths, { prefixes: [...new Set([prefix, current.tablePrefix ?? 'wp_'])].filter(Boolean) })

  await refusePrograms(deps, row.stagingDatabase!)
  // Commit point: any process can finish from the row and the plan.
  await step({ step: 'SWAPPING', tables, replacedAddress, notes, noteSentences })
}

/** Second line of defense behind the dump filter. */
async function refusePrograms({ siteDatabase }: Dependencies, database: string): Promise<void> {
  const programs = await siteDatabase.listPrograms(database)
  if (programs.length > 0)
    throw new AppError('ARCHIVE_INVALID', {
      code: 'DUMP_MADE_PROGRAMS',
      values: { names: programs.slice(0, 5).join(', ') }
    })
}

async function chooseDatabase(deps: Dependencies, row: ImportRow, project: ProjectRow): Promise<string> {
  await refuseManualVariables(deps, project.id)
  const database =
    row.databaseId === null
      ? await ensureProjectDatabase(deps, project, 'MYSQL')
      : await findDatabaseById(deps.db, row.databaseId)
  if (!database) throw new AppError('NOT_FOUND', { code: 'DATABASE_GONE' })
  const immovable = await deps.siteDatabase.listImmovable(openAccount(deps, database).database)
  if (immovable.length > 0)
    throw new AppError('WORDPRESS_IMPORT_FAILED', {
      code: 'DATABASE_IMMOVABLE',
      values: { names: immovable.slice(0, 5).join(', ') }
    })
  return database.id
}
