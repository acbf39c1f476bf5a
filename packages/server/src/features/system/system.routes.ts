import { Health } from '@panel/contract/system'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { publicAccess } from '../../http/access.ts'
import { healthOf } from './health.service.ts'

export function systemRoutes(app: App, deps: Dependencies): void {
  app.get(
    '/api/health',
    {
      config: { access: publicAccess, admission: 'free' },
      schema: {
        tags: ['System'],
        operationId: 'getHealth',
        summary: 'Whether the API serves, and which real parts it reaches',
        description:
          'Needs no sign-in and answers 200 as long as the API serves. Parts that are away are named, with what to do about them.',
        response: { 200: Health }
      }
    },
    async () => healthOf(deps)
  )
}
