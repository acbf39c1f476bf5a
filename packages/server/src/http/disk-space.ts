import type { FastifyInstance } from 'fastify'
import type { Dependencies } from '../dependencies.ts'
import { requireFreeDisk } from '../process/free-disk-space.ts'
import { messageOf } from '../text/message-of.ts'
import { writesOf } from './writes.policy.ts'

/** The disk quota of an account. */
interface AccountDiskSpace {
  /** Rejects when the quota is used up. */
  budget(userId: string): Promise<unknown>
  note(userId: string, bytes: number): Promise<void>
}

/**
 * Rejects writing requests when the disk is full or the account's quota is used up. Runs after the route policy and
 * before the body is read. Uploads and archives also check the bytes that they need.
 */
export function addDiskSpaceCheck(
  app: FastifyInstance,
  deps: Pick<Dependencies, 'config' | 'freeDiskBytes' | 'logger'>,
  account: AccountDiskSpace
): void {
  app.addHook('onRequest', async (request) => {
    const { config, url } = request.routeOptions
    if (!config.access || url === undefined) return
    const writes = writesOf(request.method, url)
    if (writes === 'nothing') return
    await requireFreeDisk(deps, Infinity, writes)
    if (writes === 'files' && request.session) await account.budget(request.session.userId)
  })
  app.addHook('onResponse', async (request, reply) => {
    const { config, url } = request.routeOptions
    if (!config.access || url === undefined || !request.session || reply.statusCode >= 300) return
    const bytes = Number(request.headers['content-length'] ?? 0)
    if (bytes === 0 || writesOf(request.method, url) !== 'files') return
    await account
      .note(request.session.userId, bytes)
      .catch((error: unknown) =>
        deps.logger.warn({ error: messageOf(error) }, 'disk usage not updated; the next measurement counts it')
      )
  })
}
