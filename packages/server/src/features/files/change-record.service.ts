import type { AuditAction } from '@panel/contract/audit'
import type { Dependencies } from '../../dependencies.ts'
import { recordAuditAlone } from '../audit/recording.service.ts'
import type { ProjectScope } from './project-scope.service.ts'

export async function recordChange(
  deps: Pick<Dependencies, 'config' | 'db' | 'now'>,
  { userId, projectId, origin }: ProjectScope,
  action: Extract<AuditAction, `file.${string}`>,
  metadata: Record<string, unknown>
): Promise<void> {
  await recordAuditAlone(deps, origin, { action, actorId: userId, targetId: projectId, metadata })
}
