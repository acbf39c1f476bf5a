import { z } from 'zod'
import { Id } from '@panel/contract/common'
import { PublicStatus, SaveStatusPage, StatusPage } from '@panel/contract/status-pages'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { publicAccess, sessionAccess, sessionOf } from '../../http/access.ts'
import { createPublicStatuses } from './public-status.service.ts'
import { statusPath } from './status-address.policy.ts'
import { renderStatusPage, statusPagePolicy } from './status-page.render.ts'
import { readStatusPage, saveStatusPage } from './status-pages.service.ts'

const tags = ['Uptime']
const config = { access: sessionAccess }
const params = z.object({ id: Id.meta({ description: 'The project.' }) })
const slugParams = z.object({ slug: z.string().max(100).meta({ description: 'Of the status page.' }) })
const forEverybody = { access: publicAccess, rateLimited: 'discovery' } as const
// It is made anew every few seconds in any case.
const cached = 'public, max-age=15'

export function statusPageRoutes(app: App, deps: Dependencies): void {
  const readPublicStatus = createPublicStatuses(deps)
  app.get(
    '/api/projects/:id/status-page',
    {
      config,
      schema: {
        tags,
        operationId: 'readStatusPage',
        summary: 'Where the public status page of a project is, and whether it is switched on',
        params,
        response: { 200: StatusPage }
      }
    },
    async (request) => readStatusPage(deps, sessionOf(request).userId, request.params.id)
  )
  app.put(
    '/api/projects/:id/status-page',
    {
      config,
      schema: {
        tags,
        operationId: 'saveStatusPage',
        summary: 'Make, change, switch on or off the public status page of a project',
        description:
          'It shows everybody who knows its address the title, and of each uptime check with onStatusPage its name, how it stands, its uptime by day and when it was down; neither ' +
          'host names nor reasons. Switched off, it answers as one that never was.',
        params,
        body: SaveStatusPage,
        errors: ['CONFLICT'],
        response: { 200: StatusPage }
      }
    },
    async (request) => saveStatusPage(deps, request, sessionOf(request).userId, request.params.id, request.body)
  )
  app.get(
    '/api/status/:slug',
    {
      config: forEverybody,
      schema: {
        tags,
        operationId: 'readPublicStatus',
        summary: 'What the public status page of a project shows',
        description: 'The page for people is at /status/:slug. It may be some seconds old.',
        params: slugParams,
        errors: ['NOT_FOUND', 'RATE_LIMITED'],
        response: { 200: PublicStatus }
      }
    },
    async (request, reply) => {
      const status = await readPublicStatus(request.params.slug)
      return reply.header('cache-control', cached).send(status)
    }
  )
  app.get(
    statusPath(':slug'),
    { config: forEverybody, schema: { hide: true, params: slugParams } },
    async (request, reply) => {
      const page = renderStatusPage(await readPublicStatus(request.params.slug))
      return reply
        .headers({ 'cache-control': cached, 'content-security-policy': statusPagePolicy })
        .type('text/html; charset=utf-8')
        .send(page)
    }
  )
}
