import { GitInspect, GitInspection } from '@panel/contract/git'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import { signalOfClient } from '../../http/client-gone.ts'
import { inspectRepository } from './inspection.service.ts'

export function inspectionRoutes(app: App, deps: Dependencies): void {
  app.post(
    '/api/git/inspect',
    {
      config: { access: sessionAccess, rateLimited: 'discovery', admission: 'apart' },
      schema: {
        tags: ['Git'],
        operationId: 'inspectRepository',
        summary: 'Inspect a repository: its branches, and how one would be built',
        description:
          'Use it before you create a project. The rules for connecting a repository apply; nothing is stored. If only a deploy key is missing, ' +
          'the response is still 200: `private` is true, and `problem` says what to do.',
        body: GitInspect,
        errors: ['NOT_FOUND', 'CONFLICT', 'GIT_URL_UNSUPPORTED', 'GIT_UNREACHABLE', 'RATE_LIMITED'],
        response: { 200: GitInspection }
      }
    },
    async (request, reply) => {
      const { signal, done } = signalOfClient(reply)
      return inspectRepository(deps, sessionOf(request).userId, request.body, { signal }).finally(done)
    }
  )
}
