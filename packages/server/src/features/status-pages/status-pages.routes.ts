import { z } from 'zod'
import { Id, singleLine } from '@panel/contract/common'
import { PublicStatus, SaveStatusPage, StatusPage } from '@panel/contract/status-pages'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { publicAccess, sessionAccess, sessionOf } from '../../http/access.ts'
import { acceptedLanguage } from '../../text/language.ts'
import { createPublicStatuses } from './public-status.service.ts'
import { statusPath } from './status-address.policy.ts'
import { renderStatusPage, statusPagePolicy } from './status-page.render.ts'
import { readStatusPage, saveStatusPage } from './status-pages.service.ts'

const tags = ['Uptime']
const config = { access: sessionAccess }
const params = z.object({ id: Id.meta({ description: 'The project.' }) })
const slugParams = z.object({ slug: singleLine(100).meta({ description: 'The slug of the status page.' }) })
const forEverybody = { access: publicAccess, rateLimited: 'discovery' } as const
// The page is rendered again every few seconds anyway.
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
        summary: 'Get the settings of a project’s public status page',
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
        summary: 'Create, change, enable or disable the public status page of a project',
        description:
          'Shows its title, and for each uptime check with `onStatusPage` its name, state, daily uptime and outages, to everyone who knows its URL; neither ' +
          'hostnames nor reasons. A disabled page answers 404.',
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
        summary: 'Get the content of a public status page',
        description: 'The HTML page is at /status/:slug. Cached for some seconds.',
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
      const language = acceptedLanguage(request.headers['accept-language'])
      const page = renderStatusPage(await readPublicStatus(request.params.slug), language)
      return reply
        .headers({ 'cache-control': cached, 'content-security-policy': statusPagePolicy, vary: 'accept-language' })
        .type('text/html; charset=utf-8')
        .send(page)
    }
  )
}
