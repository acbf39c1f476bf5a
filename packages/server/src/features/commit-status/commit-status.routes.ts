import { z } from 'zod'
import { Id } from '@panel/contract/common'
import { CommitStatus, SetCommitStatus } from '@panel/contract/commit-status'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import { getCommitStatus, removeCommitStatus, setCommitStatus } from './commit-status.service.ts'

const config = { access: sessionAccess }
const tags = ['Git']
const params = z.object({ id: Id })
const path = '/api/projects/:id/git/commit-status'

export function commitStatusRoutes(app: App, deps: Dependencies): void {
  app.get(
    path,
    {
      config,
      schema: {
        tags,
        operationId: 'getCommitStatus',
        summary: 'Get where deployments are reported as commit statuses, and the latest result',
        description: 'Without the token.',
        params,
        response: { 200: CommitStatus }
      }
    },
    (request) => getCommitStatus(deps, sessionOf(request).userId, request.params.id)
  )
  app.put(
    path,
    {
      config,
      schema: {
        tags,
        operationId: 'setCommitStatus',
        summary: 'Report deployments as commit statuses; audited',
        description:
          'Each deployment of a commit is then reported to the Git host as pending, successful or failed, with a link to the deployment. ' +
          'Failed requests are repeated with growing pauses.',
        params,
        body: SetCommitStatus,
        errors: ['GIT_NOT_CONNECTED', 'GIT_URL_UNSUPPORTED'],
        response: { 200: CommitStatus }
      }
    },
    (request) => setCommitStatus(deps, request, sessionOf(request).userId, request.params.id, request.body)
  )
  app.delete(
    path,
    {
      config,
      schema: {
        tags,
        operationId: 'removeCommitStatus',
        summary: 'Stop reporting commit statuses and delete the token; audited',
        description: 'Also succeeds if none are reported.',
        params,
        response: { 204: z.null() }
      }
    },
    async (request, reply) => {
      await removeCommitStatus(deps, request, sessionOf(request).userId, request.params.id)
      return reply.code(204).send(null)
    }
  )
}
