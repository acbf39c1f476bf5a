import { z } from 'zod'
import { Id } from '@panel/contract/common'
import { ContainerActionResult } from '@panel/contract/deployments'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import { sleepNow } from './sleep.service.ts'

export function sleepRoutes(app: App, deps: Dependencies): void {
  app.post(
    '/api/projects/:id/sleep',
    {
      config: { access: sessionAccess, scope: 'deploy', admission: 'apart' },
      schema: {
        tags: ['Containers'],
        operationId: 'putProjectToSleep',
        summary: 'Stop the containers of the site until its next request',
        description:
          'Does at once what happens after `sleepAfterMinutes` without a request. Refused while the site has open connections, a terminal ' +
          'or a deployment in progress. The next request, or `start`, wakes it.',
        params: z.object({ id: Id }),
        errors: ['CONFLICT', 'CONTAINER_MISSING', 'CONTAINER_ENGINE_UNAVAILABLE', 'REVERSE_PROXY_UNAVAILABLE'],
        response: { 200: ContainerActionResult }
      }
    },
    async (request) => sleepNow(deps, request, sessionOf(request).userId, request.params.id)
  )
}
