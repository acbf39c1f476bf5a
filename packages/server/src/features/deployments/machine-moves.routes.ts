import { Id } from '@panel/contract/common'
import { MovedSite, MoveSite } from '@panel/contract/machines'
import { z } from 'zod'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { requireRole, sessionOf } from '../../http/access.ts'
import { moveSite } from './machine-moves.service.ts'

export function machineMoveRoutes(app: App, deps: Dependencies): void {
  app.post(
    '/api/machines/:id/sites',
    {
      config: { access: requireRole('ADMIN') },
      schema: {
        tags: ['System'],
        operationId: 'moveSite',
        summary: 'Move a project to a machine',
        description:
          'Queues a deployment of its live image there. The previous containers serve until the new ones answer, so no request fails. Possible ' +
          'for projects that keep no files (`keepsFiles`), have no volumes, do not sleep and are not `reachable`. Of several instances, the first one ' +
          'goes there, with workers and scheduled jobs; the others stay spread over the machines.',
        params: z.object({ id: Id }),
        body: MoveSite,
        errors: ['FORBIDDEN_ROLE', 'CONFLICT', 'INVALID_TARGET', 'ACCOUNT_SUSPENDED', 'DEPLOYMENT_IN_PROGRESS'],
        response: { 202: MovedSite }
      }
    },
    async (request, reply) =>
      reply.code(202).send(
        await moveSite(deps, request, sessionOf(request).userId, {
          nodeId: request.params.id,
          projectId: request.body.projectId
        })
      )
  )
}
