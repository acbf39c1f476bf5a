import type { Dependencies } from '../../dependencies.ts'
import { linkStagedTree, removeStaged } from '../../infra/staging/staging.ts'
import { messageOf } from '../../text/message-of.ts'
import { uploadDirectory } from '../git/workspace.service.ts'
import { lockProject } from '../projects/project-access.ts'
import { keepUpload } from '../source-uploads/source-upload-access.ts'
import type { AccountRestoreRow } from './account-restores.repository.ts'
import { withSnapshot } from './account-snapshot.service.ts'

/**
 * Restores the uploaded folders that releases were built from. Resolves with the ids of the projects whose folder the
 * backup does not have. Idempotent.
 */
export async function restoreUploads(
  deps: Dependencies,
  row: AccountRestoreRow,
  signal: AbortSignal
): Promise<string[]> {
  const uploads = row.rebuilt.flatMap(({ projectId, upload }) => (upload ? [{ projectId, id: upload.id }] : []))
  const missing = new Set(uploads.map(({ projectId }) => projectId))
  if (uploads.length === 0) return []
  try {
    await withSnapshot(deps, row, signal, async ({ fetch }) => {
      for (const upload of uploads) {
        const found = await fetch(`/uploads/${upload.projectId}/${upload.id}`)
        if (found !== undefined && (await place(deps, found, upload))) missing.delete(upload.projectId)
      }
    })
  } catch (error) {
    deps.logger.warn({ accountRestore: row.id, error: messageOf(error) }, 'uploaded folders not restored')
  }
  return [...missing]
}

/** The row first, as with each upload. False if the project was deleted meanwhile. */
async function place(
  { config, db, now }: Dependencies,
  found: string,
  { id, projectId }: { id: string; projectId: string }
): Promise<boolean> {
  const isThere = await db.transaction(async (trx) => {
    if (!(await lockProject(trx, projectId))) return false
    await keepUpload(trx, { id, projectId, createdAt: now() })
    return true
  })
  if (!isThere) return false
  const directory = uploadDirectory(config, projectId, id)
  await removeStaged(directory)
  return linkStagedTree(found, directory)
}
