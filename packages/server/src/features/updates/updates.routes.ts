import { PanelVersion } from '@panel/contract/system'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { requireRole } from '../../http/access.ts'
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
}
