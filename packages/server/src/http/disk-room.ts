import type { FastifyInstance } from 'fastify'
import type { Dependencies } from '../dependencies.ts'
import { diskBudget } from '../disk-budget.ts'
import { writesOf } from './writes.policy.ts'

/**
 * In front of every route, behind its policy: nothing is written for an account where the disk has no room for it, before a byte of
 * the body is read. What is larger than a body of JSON asks for its budget in bytes too.
 */
export function addDiskRoom(app: FastifyInstance, deps: Pick<Dependencies, 'config' | 'freeDiskBytes'>): void {
  app.addHook('onRequest', async (request) => {
    const { config, url } = request.routeOptions
    if (!config.access || url === undefined) return
    const writes = writesOf(request.method, url)
    if (writes !== 'nothing') await diskBudget(deps, Infinity, writes)
  })
}
