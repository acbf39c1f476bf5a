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
        summary: 'Branches of a repository, and what a build would make of one',
        description:
          'Before a project is made of it, by the rules and limits of connecting a repository; nothing is kept. Where a deploy key is what is missing, ' +
          'the answer is 200 all the same: `private` is true, and `problem` says what to do.',
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
