import type { FastifyInstance } from 'fastify'
import type { Dependencies } from '../dependencies.ts'
import { diskBudget } from '../process/free-disk-space.ts'
import { messageOf } from '../text/message-of.ts'
import { writesOf } from './writes.policy.ts'

/** What an account may have of the disk. */
interface AccountRoom {
  /** Rejects where it has no more. */
  budget(userId: string): Promise<unknown>
  note(userId: string, bytes: number): Promise<void>
}

/**
 * In front of every route, behind its policy: nothing is written for an account where the disk, or what the account may have of it, has
 * no room, before a byte of the body is read. What is larger than a body of JSON asks for its budget in bytes too.
 */
export function addDiskRoom(
  app: FastifyInstance,
  deps: Pick<Dependencies, 'config' | 'freeDiskBytes' | 'logger'>,
  account: AccountRoom
): void {
  app.addHook('onRequest', async (request) => {
    const { config, url } = request.routeOptions
    if (!config.access || url === undefined) return
    const writes = writesOf(request.method, url)
    if (writes === 'nothing') return
    await diskBudget(deps, Infinity, writes)
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
        deps.logger.warn({ error: messageOf(error) }, 'what came in counts when it is measured')
      )
  })
}
