import type { Dependencies } from '../../dependencies.ts'
import { uploadDirectory } from '../git/workspace.service.ts'
import { lockProject } from '../projects/project-access.ts'
import { deleteUpload, listStrayUploads, markRemoved, type SourceUploadRow } from './source-uploads.repository.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'git' | 'now'>

/** Longer than an upload takes: its process was killed before it queued the deployment. */
const abandonedAfterMs = 60 * 60_000

export async function removeStrayUploads(deps: Deps): Promise<void> {
  const before = new Date(deps.now().getTime() - abandonedAfterMs)
  for (const upload of await listStrayUploads(deps.db, before)) {
    const isStray = await deps.db.transaction(async (trx) => {
      // A build of the latest upload may be requested at the same time.
      const project = await lockProject(trx, upload.projectId)
      return project === undefined || (await markRemoved(trx, upload.id, before))
    })
    if (isStray) await removeUpload(deps, upload)
  }
}

export async function removeUpload(
  { config, db, git }: Pick<Deps, 'config' | 'db' | 'git'>,
  { id, projectId }: Pick<SourceUploadRow, 'id' | 'projectId'>
): Promise<void> {
  await git.remove(uploadDirectory(config, projectId, id))
  await deleteUpload(db, id)
}
