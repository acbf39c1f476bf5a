import { z } from 'zod'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Multipart } from '@fastify/multipart'
import type { WordpressImport } from '@panel/contract/wordpress'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { newId } from '../../security/ids.ts'
import { Id } from '@panel/contract/common'
import { workerVerb } from '../../worker/worker-verb.ts'
import { label } from '../../infra/container-engine/labels.ts'
import { findProject, getOwnProject, lockProject } from '../projects/project-access.ts'
import { accountTransaction } from '../users/account-transaction.service.ts'
import { lockUser } from '../users/account-access.ts'
import { requireFreeDisk } from '../../process/free-disk-space.ts'
import { projectDeleted } from './import-finish.service.ts'
import { receiveForm } from './import-form.service.ts'
import { failImport } from './import.jobs.ts'
import { storeArchive } from './import-archive.service.ts'
import { stagingDatabaseOf } from './import-paths.service.ts'
import { problemOf } from './import-problem.policy.ts'
import { importView } from './import-view.ts'
import {
  countRunningImports,
  findImport,
  findLatestImport,
  type ImportRow,
  insertImport,
  isBeingChanged,
  updateImport
} from './imports.repository.ts'
import { findOwnDatabase, type ProvidedCredentials } from './site-database-choice.service.ts'
import { getOwnSite, importUploadLimit } from './wordpress-access.ts'

const touchEveryMs = 10_000
const pollEveryMs = 250
const maxRunningPerUser = 2

/** After the last byte the import continues without the client. `openForm` runs after the ownership check. */
export async function importSite(
  deps: Dependencies,
  userId: string,
  projectId: string,
  openForm: () => AsyncIterable<Multipart>,
  signal: AbortSignal
): Promise<WordpressImport> {
  await getOwnSite(deps.db, projectId, userId)
  await refuseLegacyVolumes(deps, projectId)
  const parts = openForm()
  const row = await importUploadLimit.run(userId, () => receiveImport(deps, userId, projectId, parts))
  return waitForImport(deps, row.id, signal)
}

async function receiveImport(
  deps: Dependencies,
  userId: string,
  projectId: string,
  parts: AsyncIterable<Multipart>
): Promise<ImportRow> {
  const row = await beginImport(deps, userId, projectId)
  try {
    const provided = await receive(deps, row, parts)
    const databaseId = provided === undefined ? null : await databaseOf(deps, userId, projectId, provided)
    await queueImport(deps, row, databaseId)
  } catch (error) {
    await failImport(deps, row.id, error)
    throw error
  }
  return row
}

/** Volumes of version 0.1 are mounted over the files, so visitors would not see the imported ones. */
const refuseLegacyVolumes = workerVerb('wordpress.refuseLegacyVolumes', [Id], refuseVolumes)

async function refuseVolumes(
  { engine, instanceId }: Pick<Dependencies, 'engine' | 'instanceId'>,
  projectId: string
): Promise<void> {
  const labels = { [label.instance]: instanceId, [label.project]: projectId }
  const volumes = await engine.listVolumes(labels).catch((cause: unknown) => {
    throw new AppError('BUSY', 'The container engine is not responding. Try again.', { cause })
  })
  if (volumes.length > 0)
    throw new AppError(
      'CONFLICT',
      'The uploads of this site are in a volume of an older panel version, which would hide the imported files. ' +
        'Create a new WordPress project, import there, and move the domains to it.'
    )
}

async function beginImport(deps: Dependencies, userId: string, projectId: string): Promise<ImportRow> {
  const now = deps.now()
  const id = newId(now.getTime())
  // Recorded before the database exists, so that a crash leaves nothing that cannot be found and removed.
  const values = { id, projectId, userId, stagingDatabase: stagingDatabaseOf(id), createdAt: now, updatedAt: now }
  return accountTransaction(deps.db, userId, async (trx) => {
    await lockUser(trx, userId)
    await lockProject(trx, projectId)
    if (await isBeingChanged(trx, projectId))
      throw new AppError('CONFLICT', 'This site is being updated. Wait for that to finish.')
    const row = await insertImport(trx, values)
    if (!row)
      throw new AppError(
        'WORDPRESS_IMPORT_RUNNING',
        'An import into this project is already running. Wait for it to finish.'
      )
    // Below the job's concurrency of three, so that one account cannot block imports for the others.
    if ((await countRunningImports(trx, userId)) > maxRunningPerUser)
      throw new AppError('CONFLICT', 'Too many concurrent imports. Wait for one to finish.')
    return row
  })
}

async function receive(
  deps: Dependencies,
  { id, projectId }: ImportRow,
  parts: AsyncIterable<Multipart>
): Promise<ProvidedCredentials | undefined> {
  const maxBytes = await requireFreeDisk(deps, deps.config.WORDPRESS_IMPORT_MAX)
  let touchedAt = performance.now()
  return receiveForm(parts, (input) => storeArchive(deps, id, { input }), {
    maxBytes,
    async onProgress() {
      if (performance.now() - touchedAt < touchEveryMs) return
      touchedAt = performance.now()
      await requireFreeDisk(deps, maxBytes)
      if (!(await findProject(deps.db, projectId))) throw projectDeleted()
      if (!(await updateImport(deps.db, id, {}, deps.now()))) throw uploadTooSlow()
    }
  })
}

const Provided = z.object({ name: z.string(), user: z.string(), password: z.string(), host: z.string() })

/** Runs in the worker, which alone can decrypt database passwords. */
const databaseOf = workerVerb('wordpress.databaseOf', [Id, Id, Provided], findProvidedDatabase)

async function findProvidedDatabase(
  deps: Dependencies,
  userId: string,
  projectId: string,
  provided: ProvidedCredentials
): Promise<string> {
  const found = await findOwnDatabase(deps, userId, provided)
  if (!found) throw new AppError('VALIDATION_ERROR', { code: 'DATABASE_NOT_YOURS' })
  if (found.row.projectId !== null && found.row.projectId !== projectId)
    throw new AppError('CONFLICT', { code: 'DATABASE_OF_OTHER_PROJECT' })
  return found.row.id
}

async function queueImport(deps: Dependencies, { id, projectId }: ImportRow, databaseId: string | null): Promise<void> {
  await deps.db.transaction(async (trx) => {
    if (!(await lockProject(trx, projectId))) throw projectDeleted()
    if (!(await updateImport(trx, id, { step: 'CHECKING', databaseId }, deps.now()))) throw uploadTooSlow()
    await deps.jobs.enqueue(trx, 'wordpress.import', { importId: id }, { key: id })
  })
}

const uploadTooSlow = () => new AppError('WORDPRESS_IMPORT_FAILED', { code: 'UPLOAD_TOO_SLOW' })

async function waitForImport(deps: Dependencies, importId: string, signal: AbortSignal): Promise<WordpressImport> {
  for (;;) {
    const row = await findImport(deps.db, importId)
    if (!row) throw new AppError('NOT_FOUND', 'Import not found')
    if (row.status === 'FAILED') throw problemOf(row)
    if (row.status === 'SUCCEEDED' || signal.aborted) return importView(row)
    await sleep(pollEveryMs)
  }
}

export async function getLatestImport(
  deps: Pick<Dependencies, 'db'>,
  userId: string,
  projectId: string
): Promise<WordpressImport> {
  await getOwnProject(deps.db, projectId, userId)
  return view(await findLatestImport(deps.db, projectId))
}

export async function getImport(
  deps: Pick<Dependencies, 'db'>,
  userId: string,
  projectId: string,
  importId: string
): Promise<WordpressImport> {
  await getOwnProject(deps.db, projectId, userId)
  const row = await findImport(deps.db, importId)
  return view(row?.projectId === projectId ? row : undefined)
}

function view(row: ImportRow | undefined): WordpressImport {
  if (!row) throw new AppError('NOT_FOUND', 'Import not found')
  return importView(row)
}
