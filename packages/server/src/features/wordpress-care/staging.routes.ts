import { z } from 'zod'
import { Id } from '@panel/contract/common'
import { CreateWordpressStaging, WordpressCopy, WordpressStaging, WordpressTask } from '@panel/contract/wordpress-care'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import { createStaging, getStaging } from './staging.service.ts'
import { requestCopy, requestUndo } from './task-request.service.ts'
import { siteErrors, untilTheEnd } from './wordpress-care.routes.ts'

const full = { access: sessionAccess, scope: 'full' } as const
const tags = ['WordPress']
const params = z.object({ id: Id })
const taskParams = z.object({ id: Id, taskId: Id })

export async function wordpressStagingRoutes(app: App, deps: Dependencies): Promise<void> {
  app.post(
    '/api/projects/:id/wordpress/copies',
    {
      config: full,
      schema: {
        tags,
        operationId: 'copyWordpress',
        summary: 'Replace files, database or both by those of another site',
        description:
          `${untilTheEnd}To push the changes of a staging copy, ask for a copy to the original. What the site has is saved first, and ` +
          'restored if the site then answers with an error. A copy that succeeded can be undone until `undoUntil`.',
        params,
        body: WordpressCopy,
        errors: ['CONFLICT', 'NOT_WORDPRESS'],
        response: { 202: WordpressTask }
      }
    },
    async (request, reply) => {
      const { userId } = sessionOf(request)
      return reply.code(202).send(await requestCopy(deps, request, userId, request.params.id, request.body))
    }
  )
  app.post(
    '/api/projects/:id/wordpress/staging',
    {
      config: full,
      schema: {
        tags,
        operationId: 'createWordpressStaging',
        summary: 'Make a staging copy of a site',
        description:
          'Creates a WordPress project with files and database of the site. Answers at once with the task of the new project that copies ' +
          'them. Visitors need a password, and `X-Robots-Tag: noindex` keeps it out of search engines; both apply to the hostname that the panel gives ' +
          'the project, not to domains that you add.',
        params,
        body: CreateWordpressStaging,
        errors: [...siteErrors, 'PROJECT_NAME_EXISTS', 'QUOTA_EXCEEDED', 'DISK_FULL', 'REVERSE_PROXY_UNAVAILABLE'],
        response: { 202: WordpressTask }
      }
    },
    async (request, reply) => {
      const { userId } = sessionOf(request)
      return reply.code(202).send(await createStaging(deps, request, userId, request.params.id, request.body))
    }
  )
  app.get(
    '/api/projects/:id/wordpress/staging',
    {
      config: full,
      schema: {
        tags,
        operationId: 'getWordpressStaging',
        summary: 'Get staging copies and the password of one',
        description: 'Of a site, its copies. Of a copy, the original and what the proxy asks its visitors for.',
        params,
        errors: ['NOT_WORDPRESS'],
        response: { 200: WordpressStaging }
      }
    },
    async (request) => getStaging(deps, sessionOf(request).userId, request.params.id)
  )
  app.post(
    '/api/projects/:id/wordpress/tasks/:taskId/undo',
    {
      config: full,
      schema: {
        tags,
        operationId: 'undoWordpressTask',
        summary: 'Put back what a copy or update replaced',
        description:
          `${untilTheEnd}Possible until \`undoUntil\` of the task. Puts back the files, the database or both, as the task replaced them; ` +
          'what was changed in them since is lost, and the undo itself cannot be undone. The site is stopped meanwhile.',
        params: taskParams,
        errors: ['CONFLICT', 'NOT_WORDPRESS'],
        response: { 202: WordpressTask }
      }
    },
    async (request, reply) => {
      const { id, taskId } = request.params
      return reply.code(202).send(await requestUndo(deps, request, sessionOf(request).userId, id, taskId))
    }
  )
}
