import { PanelVersion } from '@panel/contract/system'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { requireRole } from '../../http/access.ts'
import { version } from '../../version.ts'
import { findLatestRelease } from './release.repository.ts'
import { isNewer } from './version.policy.ts'

export function updatesRoutes(app: App, deps: Dependencies): void {
  app.get(
    '/api/system/version',
    {
      config: { access: requireRole('ADMIN') },
      schema: {
        tags: ['System'],
        operationId: 'getVersion',
        summary: 'The version of the panel, and the newest one that UPDATE_FEED_URL has named',
        errors: ['FORBIDDEN_ROLE'],
        response: { 200: PanelVersion }
      }
    },
    async () => {
      const latest = await findLatestRelease(deps.db)
      return {
        version,
        latest: latest ?? null,
        isUpdateAvailable: latest !== undefined && isNewer(latest.version, version)
      }
    }
  )
}
