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
        summary: 'The version of the panel, and the newest one that UPDATE_FEED_URL has named',
        description: 'Nothing is asked of the network for it.',
        errors: ['FORBIDDEN_ROLE'],
        response: { 200: PanelVersion }
      }
    },
    async () => panelVersion(deps)
  )
}
