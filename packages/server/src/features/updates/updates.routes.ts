import { PanelUpgrade, PanelVersion, StartUpgrade } from '@panel/contract/system'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { requireRole, sessionOf } from '../../http/access.ts'
import { requireFreshProof } from '../sessions/fresh-proof.policy.ts'
import { startUpgrade } from './upgrade.service.ts'
import { panelVersion } from './version.service.ts'

export function updatesRoutes(app: App, deps: Dependencies): void {
  app.get(
    '/api/system/version',
    {
      config: { access: requireRole('ADMIN') },
      schema: {
        tags: ['System'],
        operationId: 'getVersion',
        summary: 'Get the version of the panel and the latest release',
        description: 'Returns the result of the last scheduled check of UPDATE_FEED_URL; makes no network request.',
        errors: ['FORBIDDEN_ROLE'],
        response: { 200: PanelVersion }
      }
    },
    async () => panelVersion(deps)
  )
  app.post(
    '/api/system/upgrade',
    {
      config: { access: requireRole('ADMIN') },
      schema: {
        tags: ['System'],
        operationId: 'startUpgrade',
        summary: 'Upgrade the panel to a release',
        description:
          'Downloads the release, verifies its signature with UPDATE_PUBLIC_KEY and starts it beside this version. If it does not run, this ' +
          'version and its database come back. Sites keep running; the API is unavailable for some seconds. GET /api/system/version has the progress. ' +
          '409 CONFLICT while an upgrade runs, or if this server cannot be upgraded. Requires a session with a confirmed identity (`confirmIdentity`).',
        body: StartUpgrade,
        errors: ['FORBIDDEN_ROLE', 'FRESH_AUTH_REQUIRED', 'CONFLICT'],
        response: { 202: PanelUpgrade }
      }
    },
    async (request, reply) => {
      const session = sessionOf(request)
      requireFreshProof(session, deps.now())
      return reply.code(202).send(await startUpgrade(deps, request, session.userId, request.body))
    }
  )
}
