import type { Readable } from 'node:stream'
import type { Deployment } from '@panel/contract/deployments'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { deploymentView } from '../deployments/deployment-view.ts'
import { queueReplacement } from '../deployments/deployments.service.ts'
import { projectTree } from '../files/project-files.service.ts'
import { lockProject, ownedBy, type ProjectRow } from '../projects/project-access.ts'
import { removeSnapshot, unpackSnapshot } from '../snapshots/snapshot-access.ts'
import { findUid } from '../users/account-access.ts'

type Deps = Pick<
  Dependencies,
  'config' | 'db' | 'fileStore' | 'freeDiskBytes' | 'jobs' | 'logger' | 'nodes' | 'now' | 'worker'
>

interface Upload {
  /** Of its snapshot, which has a row. */
  id: string
  userId: string
  project: ProjectRow
  folder: string
}

/** Unpacks an archive for a project that is served from its files. Until its deployment runs, the site is as before. */
export async function receiveFiles(
  deps: Deps,
  origin: AuditOrigin,
  { id, userId, project: { id: projectId }, project: requested, folder }: Upload,
  input: Readable
): Promise<Deployment> {
  try {
    const { files, bytes } = await unpackSnapshot(deps, requested, id, input)
    if (files === 0) throw new AppError('ARCHIVE_INVALID', 'The archive contains no files.')
    const isEmpty = await hasNoFiles(deps, requested)
    const row = await deps.db.transaction(async (trx) => {
      const project = ownedBy(await lockProject(trx, projectId), userId)
      if (project.source !== 'FILES')
        throw new AppError('CONFLICT', 'The source of the project changed in the meantime. Upload the archive again.')
      const snapshot = { id, archive: folder, files, bytes }
      const queued = await queueReplacement(deps, trx, project, { trigger: 'UPLOAD', snapshot }, { isEmpty })
      const metadata = { deploymentId: queued.id, folder, files, bytes }
      const entry = { actorId: userId, targetId: projectId, metadata }
      await recordAudit(deps, trx, origin, { action: 'deployment.upload_requested', ...entry })
      return queued
    })
    return deploymentView(row, undefined, undefined)
  } catch (error) {
    const uid = await findUid(deps.db, userId)
    if (uid !== undefined) await removeSnapshot(deps, { id, projectId, uid })
    throw error
  }
}

async function hasNoFiles(deps: Deps, project: ProjectRow): Promise<boolean> {
  const tree = await projectTree(deps, project, { protects: 'nothing' })
  return (await tree.list('', { depth: 1, limit: 1 })).nodes.length === 0
}
