import type { AuditAction } from '@panel/contract/audit'
import type { Dependencies } from '../../dependencies.ts'
import { recordAuditAlone } from '../audit/recording.service.ts'
import { findFilesRoot } from './files-root.repository.ts'
import type { ProjectScope } from './project-scope.service.ts'

export async function recordChange(
  deps: Pick<Dependencies, 'config' | 'db' | 'now'>,
  { userId, projectId, origin }: ProjectScope,
  action: Extract<AuditAction, `file.${string}`>,
  metadata: Record<string, unknown>
): Promise<void> {
  const root = await findFilesRoot(deps.db, projectId)
  const volume = root?.volume && { volume: root.volume.name }
  const entry = { actorId: userId, targetId: root?.projectId ?? projectId, metadata: { ...metadata, ...volume } }
  await recordAuditAlone(deps, origin, { action, ...entry })
}
