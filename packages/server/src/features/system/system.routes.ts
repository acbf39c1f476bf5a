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
          'Needs no sign-in and answers 200 as long as the API serves. Every part has its state, and one that does not answer a remedy. While `./panel up` starts its programs, `status` is `starting`.',
        response: { 200: Health }
      }
    },
    async () => healthOf(deps)
  )
}
