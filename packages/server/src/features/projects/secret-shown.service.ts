import type { FastifyRequest } from 'fastify'
import type { Dependencies } from '../../dependencies.ts'
import { sessionOf } from '../../http/access.ts'
import { hasFullScope } from '../../http/field-scope.ts'
import { recordAuditAlone } from '../audit/recording.service.ts'

export async function recordSecretShown(
  deps: Pick<Dependencies, 'config' | 'db' | 'now'>,
  request: FastifyRequest,
  projectId: string,
  { webhookSecret }: { webhookSecret: string | null }
): Promise<void> {
  if (webhookSecret === null || !hasFullScope(request)) return
  const entry = { actorId: sessionOf(request).userId, targetId: projectId }
  await recordAuditAlone(deps, request, { action: 'git.webhook_secret_shown', ...entry })
}
