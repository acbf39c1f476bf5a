import { z } from 'zod'
import { Id } from '@panel/contract/common'
import { Detection } from '@panel/contract/detection'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import { getDetection } from './detection.service.ts'

export function detectionRoutes(app: App, deps: Dependencies): void {
  app.get(
    '/api/projects/:id/detection',
    {
      config: { access: sessionAccess, admission: 'apart' },
      schema: {
        tags: ['Builds and deployments'],
        operationId: 'getDetection',
        summary: 'Detect how the project would be built',
        description:
          'Returns the framework and the build and start commands for the last fetched commit with the current settings. ' +
          'Connecting a repository fetches it, so this works before the first build. If nothing has been fetched yet, or the ' +
          'repository cannot be built, the response is still 200: `problem` says why and what to do, and the rest is null.',
        params: z.object({ id: Id }),
        errors: ['CONFLICT', 'GIT_UNREACHABLE'],
        response: { 200: Detection }
      }
    },
    async (request) => getDetection(deps, sessionOf(request).userId, request.params.id)
  )
}
