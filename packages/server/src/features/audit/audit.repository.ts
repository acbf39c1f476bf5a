import type { FastifyRequest } from 'fastify'
import type { Queryable } from '../../db/database.ts'
import { auditLog } from '../../db/schema.ts'

/** Writes one entry. Targets are ids: no secret material belongs here. */
export async function recordAudit(
  db: Queryable,
  request: Pick<FastifyRequest, 'ip' | 'headers'>,
  entry: { action: string; actorId: string; targetId: string }
): Promise<void> {
  await db
    .insert(auditLog)
    .values({ ...entry, ip: request.ip, userAgent: request.headers['user-agent']?.slice(0, 500) ?? null })
}
