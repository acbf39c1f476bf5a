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
        summary: 'What needs attention, and recent deployments',
        description:
          'Of your own: newest deployments that failed, containers that should run and do not, domains that are not verified, certificates that fail or end, ' +
          'quotas nearly used. For an ADMIN also parts of the server that do not answer, held mail, and two-factor that is off. Empty where all is well.',
        errors: ['ACCOUNT_SUSPENDED'],
        response: { 200: Overview }
      }
    },
    async (request) => readOverview(deps, sessionOf(request).userId)
  )
}
