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
        summary: 'What a build would make of the project',
        description:
          'The framework, and what builds and starts it, of the commit that was fetched last and with the settings as they are now. ' +
          'Connecting a repository fetches it, so that there is an answer before the first build; where nothing has been fetched yet, or the ' +
          'repository cannot be built as it is, the answer is 200 all the same: `problem` says why and what to do, and the rest is null.',
        params: z.object({ id: Id }),
        errors: ['CONFLICT', 'GIT_UNREACHABLE'],
        response: { 200: Detection }
      }
    },
    async (request) => getDetection(deps, sessionOf(request).userId, request.params.id)
  )
}
