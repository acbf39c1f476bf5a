import { Overview } from '@panel/contract/overview'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import { readOverview } from './overview.service.ts'

export function overviewRoutes(app: App, deps: Dependencies): void {
  app.get(
    '/api/overview',
    {
      config: { access: sessionAccess },
      schema: {
        tags: ['Overview'],
        operationId: 'readOverview',
        summary: 'List what needs attention, and recent deployments',
        description:
          'Your own: failed deployments, containers that should run but do not, unverified domains, failing or expiring certificates and ' +
          'quotas that are nearly used up. For an ADMIN also unavailable components, held mail and disabled two-factor. Empty if there is nothing to do.',
        errors: ['ACCOUNT_SUSPENDED'],
        response: { 200: Overview }
      }
    },
    async (request) => readOverview(deps, sessionOf(request).userId)
  )
}
