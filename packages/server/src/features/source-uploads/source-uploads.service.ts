import { Id } from '@panel/contract/common'
import { type Deployment, UploadSourceQuery } from '@panel/contract/deployments'
import { createConcurrencyLimit } from '../../concurrency/concurrency-limit.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { requireFreeDisk } from '../../process/free-disk-space.ts'
import { newId } from '../../security/ids.ts'
import { type WorkerCall, workerVerb } from '../../worker/worker-verb.ts'
import { Origin } from '../audit/origin.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { deploymentView } from '../deployments/deployment-view.ts'
import { queueDeployment } from '../deployments/deployments.service.ts'
import { requireAccountSpace } from '../disk-usage/disk-usage-access.ts'
import { uploadRepository } from '../git/workspace.service.ts'
import { projectTypeOf } from '../project-types.ts'
import { lockProject, ownedBy, type ProjectRow } from '../projects/project-access.ts'
import { insertSnapshot } from '../snapshots/snapshot-access.ts'
import { getActor } from '../users/account-access.ts'
import { receiveFiles } from './files-upload.service.ts'
import { countQueuedUploads, insertUpload } from './source-uploads.repository.ts'
import { removeUpload } from './stray-uploads.reconcile.ts'

type Deps = Pick<
  Dependencies,
  'config' | 'db' | 'features' | 'fileStore' | 'freeDiskBytes' | 'git' | 'nodes' | 'jobs' | 'logger' | 'now' | 'worker'
>

const maxFiles = 100_000
/** Less than the age at which an upload without a deployment is removed. */
const timeoutMs = 30 * 60_000
/** Each keeps its files until it is built. */
const maxQueuedPerProject = 3
/** Git may hold a file of up to 32 MiB in memory for each. */
const uploadLimit = createConcurrencyLimit({ total: 8, perKey: 2, what: 'uploads of folders' })

/** Stores the files of an archive, and queues their deployment. */
export const uploadSource = workerVerb('sourceUploads.upload', [Origin, Id, Id, UploadSourceQuery], uploadHere, {
  timeoutMs: Infinity
})

async function uploadHere(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  projectId: string,
  query: UploadSourceQuery,
  call: WorkerCall = {}
): Promise<Deployment> {
  // It may break off before it is read, which the reader finds then.
  call.input?.on('error', () => {})
  return uploadLimit.run(userId, () => receive(deps, origin, { userId, projectId, ...query }, call))
}

interface ReceivedUpload {
  userId: string
  projectId: string
  folder: string
}

async function receive(
  deps: Deps,
  origin: AuditOrigin,
  upload: ReceivedUpload,
  { input, signal }: WorkerCall
): Promise<Deployment> {
  const { userId, projectId, folder } = upload
  const uploadId = newId(deps.now().getTime())
  const project = await beginUpload(deps, uploadId, upload)
  if (project.source === 'FILES') return receiveFiles(deps, origin, { ...upload, id: uploadId, project }, input!)
  try {
    const space = Math.min(deps.config.GIT_MAX_SIZE, await requireAccountSpace(deps, userId))
    const imported = await deps.git.importArchive(uploadRepository(deps.config, projectId, uploadId), input!, {
      maxBytes: await requireFreeDisk(deps, space),
      maxFiles,
      timeoutMs,
      ...(signal === undefined ? {} : { signal })
    })
    const row = await deps.db.transaction(async (trx) => {
      const project = ownedBy(await lockProject(trx, projectId), userId)
      const { email: by } = await getActor(trx, userId)
      const { hash: commit, files, bytes } = imported
      const upload = { id: uploadId, commit, folder, by, files, bytes }
      const queued = await queueDeployment(deps, trx, project, { trigger: 'UPLOAD', upload })
      const metadata = { deploymentId: queued.id, folder, files, bytes }
      const entry = { actorId: userId, targetId: projectId, metadata }
      await recordAudit(deps, trx, origin, { action: 'deployment.upload_requested', ...entry })
      return queued
    })
    return deploymentView(row, undefined, undefined)
  } catch (error) {
    await removeUpload(deps, { id: uploadId, projectId })
    throw error
  }
}

async function beginUpload(deps: Deps, id: string, { userId, projectId }: ReceivedUpload): Promise<ProjectRow> {
  const createdAt = deps.now()
  return deps.db.transaction(async (trx) => {
    const project = ownedBy(await lockProject(trx, projectId), userId)
    await getActor(trx, userId)
    if (projectTypeOf(deps, project.type)?.isWithoutRepository)
      throw new AppError('CONFLICT', 'A project of this type is not built from a folder. Upload files to it instead.')
    if ((await countQueuedUploads(trx, projectId)) >= maxQueuedPerProject)
      throw new AppError(
        'DEPLOYMENT_IN_PROGRESS',
        `This project already has ${maxQueuedPerProject} uploads that wait to be built. Wait, or cancel some first.`
      )
    if (project.source === 'FILES') await insertSnapshot(trx, { id, projectId, createdAt })
    else await insertUpload(trx, { id, projectId, createdAt })
    return project
  })
}
